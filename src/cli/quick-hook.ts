/**
 * The quick path of `unstuck hook <agent>`, a bundle of its own: without commander, and without classifier and
 * stuck detector until something failed or came again. What it cannot answer goes to the command.
 */
import { answerHook, hooksOf, PAYLOAD_MAX, type Diagnosis } from "../operations/hooks/answer.ts";
import { homeFolder, isRemote } from "../operations/home.ts";
import { handOver, mayBeTerminal, readToEnd, writeAll } from "./plain-io.ts";

/** The exit code; nothing where the command has to take over. `load` brings another bundle of this folder. */
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
