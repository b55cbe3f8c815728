/**
 * The fast path of `unstuck hook <agent>`, as a separate bundle: without commander, and without classifier and stuck
 * detector until a call failed or repeated itself. Whatever it cannot answer goes to the full command.
 */
import { answerHook, hooksOf, PAYLOAD_MAX, type Diagnosis } from "../operations/hooks/answer.ts";
import { homeFolder, isRemote } from "../operations/home.ts";
import { handOver, mayBeTerminal, readToEnd, writeAll } from "./plain-io.ts";

/**
 * Returns the exit code, or undefined if the full command has to take over. `load` loads another bundle of this folder.
 */
export function quick(
  [, agent = "", ...more]: readonly string[],
  load: (bundle: "quick-diagnosis") => { readonly diagnosis: Diagnosis },
): number | undefined {
  if (more.length > 0 || hooksOf(agent) === undefined || !isPipe()) return undefined;
  if (isRemote(homeFolder())) return undefined;
  const diagnosis = (): Diagnosis => load("quick-diagnosis").diagnosis;
  const read = (): Buffer => readToEnd(PAYLOAD_MAX);
  const call = answerHook(agent, { read, say: writeAll, diagnosis });
  if (call === undefined) return 0;
  handOver(call);
  return undefined;
}

function isPipe(): boolean {
  try {
    return !mayBeTerminal();
  } catch {
    return false;
  }
}
