/**
 * What a command says about the files that judge: which it runs, which configure it, which are tests; and how the
 * words after a runner, and after a tool that runs targets of a file (`make test`), are read into that.
 */
export type Lead =
  /** A program that counts as a runner, by name: its configuration judges. */
  | { readonly kind: "tool"; readonly name: string }
  /** A program nobody here knows: any configuration may judge. */
  | { readonly kind: "unclear" }
  /** Shell text to be read in turn. */
  | { readonly kind: "shell"; readonly text: string }
  /** A file that is run. */
  | { readonly kind: "run"; readonly word: string }
  /** A file that configures a run or is loaded by it, where it is in the tree. */
  | { readonly kind: "config"; readonly word: string }
  /** A file, a folder or a glob whose files are tests. */
  | { readonly kind: "tests"; readonly word: string }
  /** A relative import of a script: without an ending, or a dotted Python module. */
  | { readonly kind: "import"; readonly word: string }
  /** A script of the nearest `package.json` (or of all of them), else the program of that name. */
  | {
      readonly kind: "package-script";
      readonly name: string;
      readonly in: string;
      readonly everywhere: boolean;
      readonly words: readonly string[];
    }
  /** A target of a file that tools find by its name. */
  | {
      readonly kind: "target";
      readonly tool: TargetTool;
      readonly file: string | undefined;
      readonly in: string;
      readonly names: readonly string[];
    }
  /** Included where it is there; may be a glob. */
  | { readonly kind: "include"; readonly word: string };

export type TargetTool = "make" | "just" | "task" | "tox" | "nox" | "rake" | "composer" | "deno";

/** What follows a long option or one of these is its value. */
const TAKES_VALUE = /^(?:--[A-Za-z][\w-]{0,60}|-[crpfCRo])$/;

/** Values of options are configuration; other paths are tests, where the program runs tests. */
export function argumentLeads(words: readonly string[], runsTests: boolean): readonly Lead[] {
  return words.flatMap((word, index): readonly Lead[] => {
    const value = /^--?[\w.-]{1,60}=(.{1,500})$/.exec(word)?.[1];
    if (value !== undefined) return [{ kind: "config", word: value }];
    if (word.startsWith("-")) return [];
    const before = words[index - 1] ?? "";
    const tests: readonly Lead[] = runsTests
      ? [{ kind: "tests", word: word.replace(/::.{0,1000}$/, "") }]
      : [];
    if (!before.startsWith("-") || before.includes("=")) return tests;
    const config: Lead = { kind: "config", word };
    if (before === "-p") return [config, { kind: "import", word }];
    return TAKES_VALUE.test(before) ? [config, ...tests] : [...tests, config];
  });
}

const TARGET_TOOLS = ["make", "just", "task", "tox", "nox", "rake", "composer"] as const;
const FILE_OPTION =
  /^(?:-f|--file|--makefile|--justfile|-t|--taskfile|--noxfile|--rakefile|--conf)$/;
const FOLDER_OPTION = /^(?:-C|--directory|-d|--working-directory|--dir|--working-dir)$/;
const VALUED_OPTION = /^(?:-e|-o|-I|-W|-l|--jobs|-s|--session|--sessions)$/;

/** The words after a program that builds or tests by a file of its own. */
export function builderLeads(program: string, words: readonly string[]): readonly Lead[] {
  const tool = TARGET_TOOLS.find((name) => name === program.replace(/^gmake$/, "make"));
  if (tool !== undefined) return [targetLead(tool, words)];
  const [sub = "", target = ""] = words.filter((word) => !word.startsWith("-"));
  if (program === "invoke" || program === "inv") return [{ kind: "config", word: "tasks.py" }];
  if (program === "go" && sub === "run") return [{ kind: "run", word: target }];
  if (program === "cargo" && /^(?:clippy|fmt|nextest)$/.test(sub)) {
    const name = sub === "fmt" ? "rustfmt" : sub === "nextest" ? "cargo-nextest" : sub;
    return [{ kind: "tool", name }];
  }
  return argumentLeads(words, false);
}

function targetLead(tool: TargetTool, words: readonly string[]): Lead {
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
    else if (word.startsWith("-f")) file = word.slice(2);
    else if (word.startsWith("-C")) folder = word.slice(2);
    else if (!word.startsWith("-") && !word.includes("=") && !/^run(?:-script)?$/.test(word))
      names.push(word);
  }
  return { kind: "target", tool, file, in: folder, names };
}
