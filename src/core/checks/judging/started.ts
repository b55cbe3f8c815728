/**
 * Reads interpreters (`node a.js`, `python -m pytest`) and tools that run targets of a file they find by name
 * (`make test`) into leads. Invariants: never throws; linear in the words.
 */
import { argumentLeads } from "./leads.ts";
import type { Lead } from "./leads.ts";

type ReadCommand = (words: readonly string[], depth: number) => readonly Lead[];
type TargetTool = Extract<Lead, { kind: "target" }>["tool"];

/** Options of interpreters that load a file before the program. */
const LOADS = new Set([
  "-r",
  "--require",
  "--import",
  "--loader",
  "--experimental-loader",
  "--preload",
  "-c",
  "--env-file",
]);
/** Options of interpreters whose next word is their value and no file. */
const VALUED = new Set([
  "-W",
  "-X",
  "-I",
  "-C",
  "--conditions",
  "--test-reporter",
  "--test-name-pattern",
  "--stack-size",
  "-O",
]);
/** The rest of the line is code, not a file. */
const CODE = new Set(["-e", "-c", "-p", "--eval", "--print", "eval", "-pe", "-ne"]);

export function interpreterLeads(
  program: string,
  words: readonly string[],
  depth: number,
  read: ReadCommand,
): readonly Lead[] {
  const leads: Lead[] = [{ kind: "tool", name: program }];
  let tests = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const rest = words.slice(at + 1);
    if (program === "python" && word === "-m") {
      const [module = "", ...args] = rest;
      return [...leads, { kind: "import", word: module }, ...read([module, ...args], depth + 1)];
    }
    if (program !== "node" && program !== "nodejs" && at === 0) {
      if (program === "bun" && (word === "run" || word === "x"))
        return [...leads, ...bunRun(word, rest, depth, read)];
      if (program === "deno" && word === "task")
        return [...leads, { kind: "target", tool: "deno", file: undefined, in: "", names: rest }];
      if ((program === "deno" || program === "bun") && word === "test")
        return [...leads, { kind: "tool", name: `${program}-test` }, ...argumentLeads(rest, true)];
      if (program === "deno" && /^(?:run|lint|fmt|check|bench)$/.test(word)) continue;
      if (program === "bun" && /^(?:install|i|ci|add)$/.test(word)) return leads;
    }
    if (CODE.has(word) && !(word === "-c" && program === "php"))
      return [...leads, ...codeLeads(rest[0])];
    if (word === "--test") {
      tests = true;
      leads.push({ kind: "tool", name: "node-test" });
    } else if (word.startsWith("-")) {
      const value = /^--?[\w-]{1,40}=(.{1,500})$/.exec(word)?.[1];
      if (value !== undefined) leads.push({ kind: "config", word: value });
      else if (LOADS.has(word)) leads.push({ kind: "config", word: words[(at += 1)] ?? "" });
      else if (VALUED.has(word)) at += 1;
    } else if (tests) leads.push({ kind: "tests", word });
    else
      return [
        ...leads,
        { kind: "run", word },
        ...besideProgram(word, rest),
        ...behindProgram(program, word, rest, depth, read),
      ];
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

/** `php vendor/bin/phpunit`, `ruby -S rspec`: the tool is named by the file. */
function behindProgram(
  program: string,
  word: string,
  rest: readonly string[],
  depth: number,
  read: ReadCommand,
): readonly Lead[] {
  return /(?:^|\/)(?:node_modules|vendor|\.?venv|bin)\//.test(word)
    ? read([word.slice(word.lastIndexOf("/") + 1).replace(/\.[cm]?js$/, ""), ...rest], depth + 1)
    : program === "bun"
      ? bunRun("run", [word, ...rest], depth, read)
      : [];
}

function bunRun(
  word: string,
  rest: readonly string[],
  depth: number,
  read: ReadCommand,
): readonly Lead[] {
  if (word === "x") return read(rest, depth + 1);
  const plain = rest.filter((one) => !one.startsWith("-"));
  const [name = "", ...args] = plain;
  return [
    { kind: "run", word: name },
    { kind: "package-script", name, in: "", everywhere: false, words: [name, ...args] },
  ];
}

/** `node -e "require('./check')"`. */
const codeLeads = (code = ""): readonly Lead[] =>
  [...code.matchAll(/(?:require|import)\s{0,5}\(?\s{0,5}['"](\.{1,2}\/[^'"]{1,200})['"]/g)].map(
    ([, word]) => ({ kind: "import", word: word! }),
  );

const TARGETS: Readonly<Record<string, TargetTool>> = {
  make: "make",
  gmake: "make",
  just: "just",
  task: "task",
  tox: "tox",
  nox: "nox",
  rake: "rake",
  composer: "composer",
};
const FILE_OPTION =
  /^(?:-f|--file|--makefile|--justfile|-t|--taskfile|--noxfile|--rakefile|--conf)$/;
const FOLDER_OPTION = /^(?:-C|--directory|-d|--working-directory|--dir|--working-dir)$/;
const VALUED_OPTION = /^(?:-e|-o|-I|-W|-l|--jobs|-s|--session|--sessions)$/;

export function targetLeads(program: string, words: readonly string[]): readonly Lead[] {
  const tool = Object.hasOwn(TARGETS, program) ? TARGETS[program]! : undefined;
  if (tool === undefined) return builderLeads(program, words);
  let file: string | undefined;
  let folder = "";
  const names: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const [name, value] = word.startsWith("--") ? word.split("=", 2) : [word];
    if (FILE_OPTION.test(name!)) file = value ?? words[(at += 1)];
    else if (FOLDER_OPTION.test(name!)) folder = value ?? words[(at += 1)] ?? "";
    else if (word === "-j" && /^\d{1,3}$/.test(words[at + 1] ?? "")) at += 1;
    else if (VALUED_OPTION.test(word)) at += 1;
    else if (/^-[fC]./.test(word)) {
      if (word.startsWith("-f")) file = word.slice(2);
      else folder = word.slice(2);
    } else if (!word.startsWith("-") && !word.includes("=") && !/^run(?:-script)?$/.test(word))
      names.push(word);
  }
  return [{ kind: "target", tool, file, in: folder, names }];
}

function builderLeads(program: string, words: readonly string[]): readonly Lead[] {
  const [sub = "", target = ""] = words.filter((word) => !word.startsWith("-"));
  if (program === "invoke" || program === "inv") return [{ kind: "config", word: "tasks.py" }];
  if (program === "go" && sub === "run") return [{ kind: "run", word: target }];
  if (program === "cargo" && /^(?:clippy|fmt|nextest)$/.test(sub))
    return [
      { kind: "tool", name: sub === "fmt" ? "rustfmt" : sub === "nextest" ? "cargo-nextest" : sub },
    ];
  return argumentLeads(words, false);
}
