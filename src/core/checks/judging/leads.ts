/**
 * Leads: what a command says about the files that judge the work (which it runs, which configure it, which are tests).
 * Also reads the arguments of a runner, and of a tool that runs targets (`make test`), into leads.
 */
export type Lead =
  /** A program that counts as a runner: its configuration judges the work. */
  | { readonly kind: "tool"; readonly name: string }
  /** An unknown program: any configuration may judge the work. */
  | { readonly kind: "unclear" }
  /** Shell text to parse in turn. */
  | { readonly kind: "shell"; readonly text: string }
  /** A file that is run. */
  | { readonly kind: "run"; readonly word: string }
  /** A file that configures a run or is loaded by it, if it is in the tree. */
  | { readonly kind: "config"; readonly word: string }
  /** A file, folder or glob whose files are tests. */
  | { readonly kind: "tests"; readonly word: string }
  /** A relative import in a script, without extension, or a dotted Python module. */
  | { readonly kind: "import"; readonly word: string }
  /** A script of the nearest `package.json` (or of all of them), else the program of that name. */
  | {
      readonly kind: "package-script";
      readonly name: string;
      readonly in: string;
      readonly everywhere: boolean;
      readonly words: readonly string[];
    }
  /** A target in a file that the tool finds by name. */
  | {
      readonly kind: "target";
      readonly tool: TargetTool;
      readonly file: string | undefined;
      readonly in: string;
      readonly names: readonly string[];
    }
  /** Another file to include, if it exists; may be a glob. */
  | { readonly kind: "include"; readonly word: string };

export type TargetTool = "make" | "just" | "task" | "tox" | "nox" | "rake" | "composer" | "deno";

/** The word after a long option, or after one of these, is its value. */
const TAKES_VALUE = /^(?:--[A-Za-z][\w-]{0,60}|-[crpfCRo])$/;

/** Option values are configuration; other paths are tests if the program runs tests. */
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

/** Leads from the arguments of a program that builds or tests by its own kind of file. */
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
