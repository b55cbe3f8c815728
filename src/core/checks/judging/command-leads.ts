/**
 * Reads one simple command into leads: what it runs, what configures it. Invariants: never throws; linear in the
 * words; looks behind wrappers (`timeout 9 npx jest`), at most so deep.
 */
import { argumentLeads } from "./leads.ts";
import type { Lead } from "./leads.ts";
import { packageLeads, scriptRunnerLeads } from "./package-scripts.ts";
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
  WRAPPERS,
} from "./programs.ts";
import { UNKNOWN } from "../../shell/variables.ts";
import { interpreterLeads, targetLeads } from "./started.ts";

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
  if (PACKAGE_MANAGERS.has(program)) return packageLeads(program, rest, depth, commandLeads);
  if (SCRIPT_RUNNERS.has(program)) return [tool(program), ...scriptRunnerLeads(program, rest)];
  if (INTERPRETERS.has(program)) return interpreterLeads(program, rest, depth, commandLeads);
  if (BUILDERS.has(program)) return [tool(program), ...targetLeads(program, rest)];
  if (TEST_RUNNERS.has(program)) return [tool(program), ...argumentLeads(rest, true)];
  if (LINTERS.has(program)) return [tool(program), ...argumentLeads(rest, false)];
  if (HARMLESS.has(program))
    return program === "find" || program === "git" ? behind(rest, depth) : [];
  const inner = behind(rest, depth);
  if (WRAPPERS.has(program)) {
    const named = rest.find((word) => !word.startsWith("-") && !/^[\d.]{1,8}[smhd]?$/.test(word));
    const unknown = inner.length === 0 && named !== undefined && !HARMLESS.has(programName(named));
    return [tool(program), ...(unknown ? ([tool(named), { kind: "unclear" }] as const) : inner)];
  }
  return isFile ? inner : [tool(program), { kind: "unclear" }, ...inner];
}

const tool = (name: string): Lead => ({ kind: "tool", name });

/** The command that begins at the first word which is a program or a file that is run. */
function behind(rest: readonly string[], depth: number): readonly Lead[] {
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
