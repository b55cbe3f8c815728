/**
 * Files that hold targets of a tool (`Makefile`, `tox.ini`, `noxfile.py`, ...): how they are named, nearest rule
 * first, and what their targets run. Invariants: linear time; never throws.
 */
import type { Lead } from "./leads.ts";
import { makeLeads } from "./makefile.ts";
import type { MakeReading } from "./makefile.ts";
import { programLeads } from "./program-text.ts";

export type TargetTool = Extract<Lead, { kind: "target" }>["tool"];

/** By precedence: the tool takes the first that is there. */
export const TARGET_FILES: Readonly<Record<TargetTool, readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", ".justfile", "Justfile"],
  task: [
    "Taskfile.yml",
    "taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yaml",
    "Taskfile.dist.yml",
    "Taskfile.dist.yaml",
  ],
  tox: ["tox.ini", "setup.cfg", "pyproject.toml", "tox.toml"],
  nox: ["noxfile.py"],
  rake: ["rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb"],
  composer: ["composer.json"],
  deno: ["deno.json", "deno.jsonc"],
};

/** Tools that look in the folders above as well. */
export const LOOKS_UP: ReadonlySet<TargetTool> = new Set(["just", "task", "rake", "deno"]);

/** What the targets of a file run. */
export function targetFileLeads(
  tool: TargetTool,
  text: string,
  names: readonly string[],
): MakeReading {
  if (tool === "make" || tool === "just") return makeLeads(text, names, tool === "just");
  const leads =
    tool === "tox"
      ? listedCommands(text, /^\s{0,40}commands\w{0,20}\s{0,10}=(.{0,2000})$/)
      : tool === "task"
        ? listedCommands(text, /^\s{0,40}(?:cmds|cmd|sh|taskfile):(.{0,2000})$/)
        : tool === "nox" || tool === "rake"
          ? [...programLeads(text, tool === "nox"), ...(tool === "rake" ? RAKELIB : [])]
          : [];
  return { leads, wanted: names };
}

const RAKELIB: readonly Lead[] = [{ kind: "include", word: "rakelib/*.rake" }];

/** The lines of every list that a key opens: `commands =` of tox, `cmds:` of Taskfile. */
function listedCommands(text: string, key: RegExp): readonly Lead[] {
  const leads: Lead[] = [];
  let listed = false;
  for (const line of text.slice(0, 256_000).split(/\r?\n/, 8000)) {
    const opened = key.exec(line);
    listed =
      opened !== null ||
      (listed && /^\s/.test(line) && !/^\s{0,40}[\w-]{1,40}\s?[:=](?:\s|$)/.test(line));
    if (!listed) continue;
    const command = (opened?.[1] ?? line).replace(/^\s{0,40}-\s{1,10}(?:cmd:\s)?/, "").trim();
    if (/^[[{"']/.test(command)) leads.push(...programLeads(command, false));
    else if (command !== "") leads.push({ kind: "shell", text: command.slice(0, 4000) });
  }
  return leads;
}
