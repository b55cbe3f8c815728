/** The scripts of the same manifest that a command runs, through a package manager or a script runner. */
import type { Fields } from "../../../agents/output/json.ts";

export interface CalledScript {
  readonly name: string;
  /** Arguments the caller adds to it. */
  readonly args: readonly string[];
}

const MANAGERS = new Set(["npm", "pnpm", "yarn", "bun"]);
const RUN = new Set(["run", "run-script"]);
const SHORT: ReadonlyMap<string, string> = new Map([
  ["t", "test"],
  ["tst", "test"],
]);
const LISTS = new Set(["npm-run-all", "npm-run-all2", "run-s", "run-p"]);
/** Options that lead to the scripts of another package. */
const ELSEWHERE =
  /^(?:-C|-w|-r|-F|--prefix|--cwd|--dir|--workspaces?|--workspace-root|--filter|--recursive)(?:=|$)/;
const NAMES_MOST = 20;

/** Undefined if the command runs none. */
export function calledScripts(
  words: readonly string[],
  scripts: Fields,
): readonly CalledScript[] | undefined {
  const [program = "", ...rest] = words;
  const isOurs = (name: string): boolean => typeof scripts[name] === "string";
  if (LISTS.has(program)) {
    const names = rest
      .filter((word) => !word.startsWith("-"))
      .flatMap((word) => matching(word, scripts));
    return names.slice(0, NAMES_MOST).map((name) => ({ name, args: [] }));
  }
  if (program === "node" && rest[0] === "--run" && isOurs(rest[1] ?? ""))
    return [{ name: rest[1] ?? "", args: [] }];
  if (!MANAGERS.has(program)) return undefined;
  const mark = rest.indexOf("--");
  const own = mark < 0 ? rest : rest.slice(0, mark);
  if (own.some((word) => ELSEWHERE.test(word))) return undefined;
  const plain = own.filter((word) => program !== "npm" || !word.startsWith("-"));
  const at = plain.findIndex((word) => !word.startsWith("-"));
  const isRun = RUN.has(plain[at] ?? "");
  const asked = plain[isRun ? at + 1 : at] ?? "";
  const name = SHORT.get(asked) ?? asked;
  if (!isOurs(name) || (program === "npm" && !isRun && !NPM_VERBS.has(name))) return undefined;
  if (program === "bun" && !isRun) return undefined; // `bun test` is its own runner
  const after = plain.slice(plain.indexOf(asked) + 1);
  const args = [...(program === "npm" ? [] : after), ...(mark < 0 ? [] : rest.slice(mark + 1))];
  return [{ name, args }];
}

/** Scripts that npm runs without `run`. */
const NPM_VERBS = new Set(["test", "start", "stop", "restart"]);

/** `test:*` matches all names with that beginning. */
function matching(word: string, scripts: Fields): readonly string[] {
  if (!word.endsWith("*")) return typeof scripts[word] === "string" ? [word] : [];
  const start = word.replace(/\*+$/, "");
  return Object.keys(scripts).filter((name) => name.startsWith(start));
}
