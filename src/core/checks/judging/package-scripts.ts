/**
 * Reads `npm`, `pnpm`, `yarn` and the programs that run several package scripts into leads. Invariants: never
 * throws; linear in the words.
 */
import type { Lead } from "./leads.ts";
import { BUILDERS } from "./programs.ts";

type ReadCommand = (words: readonly string[], depth: number) => readonly Lead[];

/** Options whose next word is their value. */
const VALUED = new Set(
  "-w --workspace --prefix -C --dir --cwd --filter -F --scope --since --loglevel --reporter --concurrency".split(
    " ",
  ),
);
const FOLDER = new Set(["--prefix", "-C", "--dir", "--cwd"]);
const EVERYWHERE = /^(?:-w|--workspaces?|-ws|-r|--recursive|--filter|-F|--scope)(?:=|$)/;
const RUN = new Set(["run", "run-script", "rum", "urn"]);
const EXEC = new Set(["exec", "x", "dlx", "node"]);
const INSTALL = new Set([
  "ci",
  "install",
  "i",
  "add",
  "rebuild",
  "install-test",
  "it",
  "cit",
  "clean-install",
]);
/** Words of the programs themselves, which are no scripts. */
const OWN = new Set(
  "audit cache config help info link list ls outdated pack prune publish remove root set store unlink update up upgrade version view why".split(
    " ",
  ),
);
/** What an install runs. */
const LIFECYCLE = ["preinstall", "install", "postinstall", "prepare"];

export function packageLeads(
  program: string,
  words: readonly string[],
  depth: number,
  read: ReadCommand,
): readonly Lead[] {
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
      if (!named && value === undefined && VALUED.has(word)) at += 1;
    }
    if (named || !word.startsWith("-")) plain.push(word);
  }
  let [sub = "install", ...rest] = plain;
  if (sub === "workspace" || sub === "workspaces") {
    everywhere = true;
    const skipped = sub === "workspace" ? 1 : rest[0] === "foreach" ? 1 : 0;
    [sub = "", ...rest] = rest.slice(skipped).filter((word) => !word.startsWith("-"));
  }
  const manager: Lead = { kind: "tool", name: program };
  const script = (name: string, args: readonly string[], orProgram = false): Lead => ({
    kind: "package-script",
    name,
    in: folder,
    everywhere,
    words: orProgram ? [name, ...args] : [],
  });
  const configured = rest.flatMap((word, index): readonly Lead[] =>
    index > 0 && rest[index - 1]!.startsWith("--") && rest[index - 1] !== "--"
      ? [{ kind: "config", word }]
      : /^--[\w-]{1,40}=./.test(word)
        ? [{ kind: "config", word: word.slice(word.indexOf("=") + 1) }]
        : [],
  );
  if (EXEC.has(sub))
    return [
      manager,
      ...read(
        rest.filter((word) => word !== "--"),
        depth + 1,
      ),
    ];
  if (INSTALL.has(sub) && !(program === "yarn" && sub === "x"))
    return [manager, ...LIFECYCLE.map((name) => script(name, []))];
  if (RUN.has(sub)) return [manager, script(rest[0] ?? "", rest.slice(1)), ...configured];
  if (program === "npm")
    return [manager, script(/^(?:t|tst)$/.test(sub) ? "test" : sub, rest), ...configured];
  return OWN.has(sub) ? [manager] : [manager, script(sub, rest, true), ...configured];
}

/** `run-s lint test:*`, `concurrently "npm:test" "make x"`, `turbo run test`. */
export function scriptRunnerLeads(program: string, words: readonly string[]): readonly Lead[] {
  const everywhere = BUILDERS.has(program) || program === "wsrun" || program === "ultra";
  return words.flatMap((word): readonly Lead[] => {
    if (word.startsWith("-") || RUN.has(word) || word === "run-many") return [];
    if (/\s/.test(word) && !everywhere) return [{ kind: "shell", text: word }];
    const name = word.replace(/^(?:npm|pnpm|yarn|bun):/, "").replace(/^[^:]{1,100}#/, "");
    return [{ kind: "package-script", name, in: "", everywhere, words: [] }];
  });
}
