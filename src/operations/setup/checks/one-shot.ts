/**
 * Whether a script ends by itself, according to its text and the scripts it calls; and what makes it end if not.
 * Invariants: nothing is run; depth and size are bounded, even if scripts call each other in a circle; what cannot be
 * read is assumed to end.
 */
import type { Fields } from "../../../agents/output/json.ts";
import { shellCommands } from "../../../core/shell/commands.ts";
import { programOf } from "../../../core/shell/variables.ts";
import { calledScripts } from "./script-calls.ts";
import { watching, type Watching } from "./watchers.ts";

export type Ending =
  | { readonly kind: "ends" }
  /** It ends with these arguments for this script, which may be one that the script calls. */
  | {
      readonly kind: "with-arguments";
      readonly script: string;
      readonly args: string;
      readonly why: string;
      /** CI=1 does the same. */
      readonly endsInCi: boolean;
    }
  | { readonly kind: "with-ci"; readonly why: string }
  | { readonly kind: "never"; readonly why: string };

const ENDS: Ending = { kind: "ends" };
const DEPTH_MOST = 6;
const CHARS_MOST = 4000;

/** The ending of a named script, with the arguments its caller adds. */
export function endingOf(
  scripts: Fields,
  name: string,
  added: readonly string[] = [],
  depth = 0,
): Ending {
  const text = scripts[name];
  if (typeof text !== "string" || depth > DEPTH_MOST) return ENDS;
  const own = endingOfText(text, { scripts, script: name, added, depth });
  const around = [`pre${name}`, `post${name}`].flatMap((one) => {
    const script = scripts[one];
    return typeof script === "string"
      ? [endingOfText(script, { ...NO_SCRIPT, scripts, depth })]
      : [];
  });
  return around.every(({ kind }) => kind === "ends") ? own : joined([...around, own]);
}

interface Reading {
  readonly scripts: Fields;
  /** The script whose last command can take arguments; empty if none can. */
  readonly script: string;
  readonly added: readonly string[];
  readonly depth: number;
}

const NO_SCRIPT: Reading = { scripts: {}, script: "", added: [], depth: 0 };

/** The ending of shell text: a script, or a recipe's line. */
export function endingOfText(
  text: string,
  { scripts, script, added, depth }: Reading = NO_SCRIPT,
): Ending {
  const commands = shellCommands(text.slice(0, CHARS_MOST)).filter(({ words }) => words.length > 0);
  const endings = commands.map(({ words }, index): Ending => {
    const isLast = index === commands.length - 1;
    const { assigned, words: all } = programOf(isLast ? [...words, ...added] : words);
    const called = calledScripts(all, scripts);
    if (called !== undefined) {
      const each = called.map(({ name, args }) => endingOf(scripts, name, args, depth + 1));
      return commands.length === 1 && each.length === 1 ? (each[0] ?? ENDS) : joined(each);
    }
    const { program, args, inner } = invocation(all);
    if (inner !== undefined && depth < DEPTH_MOST)
      return joined(
        inner.map((one) => endingOfText(one, { ...NO_SCRIPT, scripts, depth: depth + 1 })),
      );
    const found = watching(program, args);
    const setsCi = assigned.some(([name]) => name === "CI");
    return found === undefined
      ? ENDS
      : endingWith(program, { ...found, ...(setsCi && { endsInCi: false }) }, isLast ? script : "");
  });
  const [only] = endings;
  return endings.length === 1 && only !== undefined ? only : joined(endings, script !== "");
}

function endingWith(program: string, { does, flag, endsInCi }: Watching, script: string): Ending {
  const why = `${program} ${does}`;
  if (flag !== undefined && script !== "")
    return { kind: "with-arguments", script, args: flag, why, endsInCi: endsInCi === true };
  return endsInCi === true ? { kind: "with-ci", why } : { kind: "never", why };
}

/** Commands in sequence: arguments reach only the last of them. */
function joined(endings: readonly Ending[], keepsLast = false): Ending {
  const [first, ...more] = endings.filter((one) => one.kind !== "ends");
  if (first === undefined) return ENDS;
  if (keepsLast && more.length === 0 && first === endings.at(-1)) return first;
  const needsMore = [first, ...more].find(
    (one) => one.kind === "never" || (one.kind === "with-arguments" && !one.endsInCi),
  );
  return needsMore === undefined
    ? { kind: "with-ci", why: first.why }
    : { kind: "never", why: needsMore.why };
}

/** Programs that run another one given in their arguments. */
const RUNNERS = new Set(
  "npx bunx pnpx nyc c8 dotenv env-cmd cross-env-shell time exec nice".split(" "),
);
const EXECUTORS = new Set("npm pnpm yarn bun corepack dotenvx bundle uv poetry".split(" "));
const EXEC_VERBS = new Set(["exec", "dlx", "x", "run"]);
const ROUNDS_MOST = 5;

interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
  /** Commands that it receives as text. */
  readonly inner?: readonly string[];
}

function invocation(all: readonly string[]): Invocation {
  let words = all;
  for (let round = 0; round < ROUNDS_MOST; round += 1) {
    const [first = "", second = ""] = words;
    const isRunner = RUNNERS.has(first) || (EXECUTORS.has(first) && EXEC_VERBS.has(second));
    const isManager = ["yarn", "pnpm"].includes(first) && second !== "" && !second.startsWith("-");
    if (!isRunner && !isManager) break;
    const from = RUNNERS.has(first) || !EXEC_VERBS.has(second) ? 1 : 2;
    const mark = words.indexOf("--");
    const at = mark > 0 ? mark + 1 : from + wordAt(words.slice(from));
    words = programOf(words.slice(at)).words;
  }
  const [path = "", ...args] = words;
  const program = nameOf(path);
  if (program === "node" && /\bnode_modules\/|\/bin\//.test(args[0] ?? ""))
    return { program: nameOf(args[0] ?? ""), args: args.slice(1) };
  if (["python", "python3"].includes(program) && args[0] === "-m")
    return { program: args[1] ?? "", args: args.slice(2) };
  if (["sh", "bash"].includes(program) && /^-\w*c$/.test(args[0] ?? ""))
    return { program, args, inner: args.slice(1, 2) };
  if (program === "concurrently")
    return { program, args, inner: args.filter((arg) => /\s/.test(arg)) };
  return { program, args };
}

const wordAt = (words: readonly string[]): number =>
  Math.max(
    0,
    words.findIndex((word) => !word.startsWith("-")),
  );

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf("/") + 1).replace(/\.(?:[cm]?js|cmd|exe)$/, "");
