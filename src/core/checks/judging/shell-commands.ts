/**
 * The commands of a script that may lead to what judges: each with its words and the folder it runs in. A script
 * that is not understood still judges, so what only a shell could know stands as UNKNOWN.
 */
import { shellCommands as readShell } from "../../shell/commands.ts";
import { programOf, UNKNOWN } from "../../shell/variables.ts";
import { joined } from "./tree-paths.ts";

export interface ShellCommand {
  readonly words: readonly string[];
  /** Folder in the tree; begins with UNKNOWN where the script itself moved to a folder of its own finding. */
  readonly folder: string;
}

const LEADS_NOWHERE = new Set("for case select function [[ [ echo printf cd pushd".split(" "));
/** Variables whose value is options of a program. */
const OPTIONS_OF = new Map([
  ["NODE_OPTIONS", "node"],
  ["PYTEST_ADDOPTS", "pytest"],
  ["MOCHA_OPTS", "mocha"],
]);

export function shellCommands(text: string, folder: string): readonly ShellCommand[] {
  return readShell(text, { folder, moved }).flatMap((command) => {
    const { assigned, words } = programOf(command.words);
    const leads: ShellCommand[] = [];
    for (const [name, value] of assigned) {
      const program = OPTIONS_OF.get(name);
      if (program !== undefined)
        leads.push({ words: [program, ...value.split(/\s+/)], folder: command.folder });
    }
    if (words.length > 0 && !LEADS_NOWHERE.has(words[0]!))
      leads.push({ words, folder: command.folder });
    return leads;
  });
}

function moved(folder: string, target: string): string {
  if (target.startsWith(UNKNOWN)) return target;
  if (folder.startsWith(UNKNOWN)) return `${folder}/${target}`;
  return joined(folder, target) ?? UNKNOWN;
}
