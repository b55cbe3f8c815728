/**
 * Turns one simple command into leads: what it runs and what configures it. Knows package managers, interpreters and
 * runners, and looks through wrappers (`timeout 9 npx jest`) down to a fixed depth. Invariants: never throws; linear in
 * the number of words.
 */
import { UNKNOWN } from "../../shell/variables.ts";
import { argumentLeads, builderLeads, type Lead } from "./leads.ts";
import {
  BUILDERS,
  HARMLESS,
  INTERPRETERS,
  isKnown,
  LINTERS,
  namesFile,
  PACKAGE_MANAGERS,
  programName,
  SCRIPT_RUNNERS,
  SHELLS,
  TEST_RUNNERS,
  wordSet,
  WRAPPERS,
} from "./programs.ts";

const WRAPPED_MAX = 8;

export function commandLeads(words: readonly string[], depth = 0): readonly Lead[] {
  const [first = "", ...rest] = words;
  if (first === "" || depth > WRAPPED_MAX) return [];
  if (first === "." || first === "source")
    return rest.slice(0, 1).map((word) => ({ kind: "run", word }));
  const ran: readonly Lead[] =
    namesFile(first) || first.startsWith(`${UNKNOWN}/`) ? [{ kind: "run", word: first }] : [];
  return [...ran, ...programLeads(programName(first), rest, ran.length > 0, depth)];
}

function programLeads(
  program: string,
  rest: readonly string[],
  isFile: boolean,
  depth: number,
): readonly Lead[] {
  if (SHELLS.has(program)) return shellLeads(rest);
  if (PACKAGE_MANAGERS.has(program)) return packageLeads(program, rest, depth);
  if (SCRIPT_RUNNERS.has(program)) return [tool(program), ...scriptRunnerLeads(program, rest)];
  if (INTERPRETERS.has(program)) return [tool(program), ...interpreterLeads(program, rest, depth)];
  if (BUILDERS.has(program)) return [tool(program), ...builderLeads(program, rest)];
  if (TEST_RUNNERS.has(program)) return [tool(program), ...argumentLeads(rest, true)];
  if (LINTERS.has(program)) return [tool(program), ...argumentLeads(rest, false)];
  if (HARMLESS.has(program))
    return program === "find" || program === "git" ? wrappedCommandLeads(rest, depth) : [];
  const inner = wrappedCommandLeads(rest, depth);
  if (WRAPPERS.has(program)) {
    const named = rest.find((word) => !word.startsWith("-") && !/^[\d.]{1,8}[smhd]?$/.test(word));
    const unknown = inner.length === 0 && named !== undefined && !HARMLESS.has(programName(named));
    return [tool(program), ...(unknown ? ([tool(named), { kind: "unclear" }] as const) : inner)];
  }
  return isFile ? inner : [tool(program), { kind: "unclear" }, ...inner];
}

const tool = (name: string): Lead => ({ kind: "tool", name });

/** The leads of the inner command, which starts at the first word that is a known program or a script file. */
function wrappedCommandLeads(rest: readonly string[], depth: number): readonly Lead[] {
  const at = rest.findIndex(
    (word) =>
      isKnown(programName(word)) || WRAPPERS.has(word) || /^\.{1,2}\/|\.(?:ba)?sh$/.test(word),
  );
  return at < 0 ? [] : commandLeads(rest.slice(at), depth + 1);
}

function shellLeads(rest: readonly string[]): readonly Lead[] {
  for (const [index, word] of rest.entries()) {
    if (/^-[a-z]{0,6}c$/.test(word)) return [{ kind: "shell", text: rest[index + 1] ?? "" }];
    if (word === "-o" || word === "+o") continue;
    if (!word.startsWith("-") && rest[index - 1] !== "-o") return [{ kind: "run", word }];
  }
  return [];
}

/** Package manager options whose next word is their value. */
const MANAGER_VALUED = wordSet(
  "-w --workspace --prefix -C --dir --cwd --filter -F --scope --since --loglevel --reporter --concurrency",
);
const FOLDER = wordSet("--prefix -C --dir --cwd");
const EVERYWHERE = /^(?:-w|--workspaces?|-ws|-r|--recursive|--filter|-F|--scope)(?:=|$)/;
const RUN = wordSet("run run-script rum urn");
const EXEC = wordSet("exec x dlx node");
const INSTALL = wordSet("ci install i add rebuild install-test it cit clean-install");
/** The package managers' own subcommands, which are not scripts. */
const OWN = wordSet(
  "audit cache config help info link list ls outdated pack prune publish remove root set store unlink update up upgrade version view why",
);
/** Scripts that an install runs. */
const LIFECYCLE = ["preinstall", "install", "postinstall", "prepare"];

function packageLeads(program: string, words: readonly string[], depth: number): readonly Lead[] {
  let everywhere = false;
  let folder = "";
  const plain: string[] = [];
  let ended = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const named = plain.length > (RUN.has(plain[0]!) ? 1 : 0) && !plain[0]!.startsWith("workspace");
    ended ||= word === "--";
    if (!ended && word.startsWith("-")) {
      everywhere ||= EVERYWHERE.test(word);
      const [name, value] = word.split("=", 2);
      if (FOLDER.has(name!)) folder = value ?? words[at + 1] ?? "";
      if (!named && value === undefined && MANAGER_VALUED.has(word)) at += 1;
    }
    if (named || !word.startsWith("-")) plain.push(word);
  }
  let [sub = "install", ...rest] = plain;
  if (sub === "workspace" || sub === "workspaces") {
    everywhere = true;
    const skipped = sub === "workspace" || rest[0] === "foreach" ? 1 : 0;
    [sub = "", ...rest] = rest.slice(skipped).filter((word) => !word.startsWith("-"));
  }
  const script = (name: string, orProgram: readonly string[] = []): Lead => ({
    kind: "package-script",
    name,
    in: folder,
    everywhere,
    words: orProgram,
  });
  const configured = rest.flatMap((word, index): readonly Lead[] => {
    const before = rest[index - 1] ?? "";
    if (before.startsWith("--") && before !== "--") return [{ kind: "config", word }];
    const value = /^--[\w-]{1,40}=(.[^]*)/.exec(word)?.[1];
    return value === undefined ? [] : [{ kind: "config", word: value }];
  });
  const manager = tool(program);
  const started = rest.filter((word) => word !== "--");
  if (EXEC.has(sub)) return [manager, ...commandLeads(started, depth + 1)];
  if (INSTALL.has(sub)) return [manager, ...LIFECYCLE.map((name) => script(name))];
  if (RUN.has(sub)) return [manager, script(rest[0] ?? ""), ...configured];
  if (program === "npm")
    return [manager, script(/^(?:t|tst)$/.test(sub) ? "test" : sub), ...configured];
  return OWN.has(sub) ? [manager] : [manager, script(sub, [sub, ...rest]), ...configured];
}

/** `run-s lint test:*`, `concurrently "npm:test" "make x"`, `turbo run test`. */
function scriptRunnerLeads(program: string, words: readonly string[]): readonly Lead[] {
  const everywhere = BUILDERS.has(program) || program === "wsrun" || program === "ultra";
  return words.flatMap((word): readonly Lead[] => {
    if (word.startsWith("-") || RUN.has(word) || word === "run-many") return [];
    if (/\s/.test(word) && !everywhere) return [{ kind: "shell", text: word }];
    const name = word.replace(/^(?:npm|pnpm|yarn|bun):/, "").replace(/^[^:]{1,100}#/, "");
    return [{ kind: "package-script", name, in: "", everywhere, words: [] }];
  });
}

/** Interpreter options that load a file before the program. */
const LOADS = wordSet(
  "-r --require --import --loader --experimental-loader --preload -c --env-file",
);
/** Interpreter options whose next word is their value, not a file. */
const VALUED = wordSet(
  "-W -X -I -C --conditions --test-reporter --test-name-pattern --stack-size -O",
);
/** What follows is code, not a file. */
const CODE = wordSet("-e -c -p --eval --print eval -pe -ne");

/** `node a.js`, `python -m pytest`, `deno task check`. */
function interpreterLeads(
  program: string,
  words: readonly string[],
  depth: number,
): readonly Lead[] {
  const leads: Lead[] = [];
  const isBun = program === "bun";
  const isDeno = program === "deno";
  let tests = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const rest = words.slice(at + 1);
    if (program === "python" && word === "-m")
      return [...leads, { kind: "import", word: rest[0] ?? "" }, ...commandLeads(rest, depth + 1)];
    if (at === 0 && isBun) {
      if (word === "run") return bunRun(rest);
      if (word === "x") return commandLeads(rest, depth + 1);
      if (/^(?:install|i|ci|add)$/.test(word)) return [];
    }
    if (at === 0 && isDeno) {
      if (word === "task")
        return [{ kind: "target", tool: "deno", file: undefined, in: "", names: rest }];
      if (/^(?:run|lint|fmt|check|bench)$/.test(word)) continue;
    }
    if (at === 0 && (isBun || isDeno) && word === "test")
      return [tool(`${program}-test`), ...argumentLeads(rest, true)];
    if (CODE.has(word) && !(word === "-c" && program === "php"))
      return [...leads, ...codeLeads(rest[0])];
    if (word === "--test") {
      tests = true;
      leads.push(tool("node-test"));
    } else if (word.startsWith("-")) {
      const value = /^--?[\w-]{1,40}=(.{1,500})$/.exec(word)?.[1];
      if (value !== undefined) leads.push({ kind: "config", word: value });
      else if (LOADS.has(word)) leads.push({ kind: "config", word: words[(at += 1)] ?? "" });
      else if (VALUED.has(word)) at += 1;
    } else if (tests) leads.push({ kind: "tests", word });
    else {
      leads.push({ kind: "run", word }, ...besideProgram(word, rest));
      if (/(?:^|\/)(?:node_modules|vendor|\.?venv|bin)\//.test(word)) {
        // `php vendor/bin/phpunit`, `ruby -S rspec`: the file name is the name of the tool.
        const name = word.slice(word.lastIndexOf("/") + 1).replace(/\.[cm]?js$/, "");
        return [...leads, ...commandLeads([name, ...rest], depth + 1)];
      }
      return isBun ? [...leads, ...bunRun([word, ...rest])] : leads;
    }
  }
  return leads;
}

/** `node scripts/run.js test` may well run `scripts/test.js`. */
const besideProgram = (word: string, rest: readonly string[]): readonly Lead[] =>
  word.includes("/")
    ? rest
        .filter((name) => /^[\w-]{1,40}$/.test(name))
        .map((name) => ({
          kind: "import",
          word: `${word.slice(0, word.lastIndexOf("/"))}/${name}`,
        }))
    : [];

/** A file, or a package script of that name. */
function bunRun(rest: readonly string[]): readonly Lead[] {
  const words = rest.filter((word) => !word.startsWith("-"));
  const [name = ""] = words;
  return [
    { kind: "run", word: name },
    { kind: "package-script", name, in: "", everywhere: false, words },
  ];
}

/** `node -e "require('./check')"`. */
const codeLeads = (code = ""): readonly Lead[] =>
  [...code.matchAll(/(?:require|import)\s{0,5}\(?\s{0,5}['"](\.{1,2}\/[^'"]{1,200})['"]/g)].map(
    ([, word]) => ({ kind: "import", word: word! }),
  );
