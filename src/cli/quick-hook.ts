/**
 * The quick path of `unstuck hook <agent>`, a bundle of its own: without commander, and without classifier and
 * stuck detector until something failed or came again. What it cannot answer goes to the command.
 */
import { answerHook, hooksOf, PAYLOAD_MAX } from "../operations/hooks/answer.ts";
import type { Diagnosis, HookCall } from "../operations/hooks/answer.ts";
import { homeFolder, isRemote } from "../operations/home.ts";
import { mayBeTerminal, readAll, writeAll } from "./plain-io.ts";

/** The exit code; nothing where the command has to take over. `load` brings another bundle of this folder. */
export function quick(
  [, agent = "", ...more]: readonly string[],
  load: (bundle: "quick-diagnosis") => { readonly diagnosis: Diagnosis },
): number | undefined {
  if (more.length > 0 || hooksOf(agent) === undefined || !isPipe()) return undefined;
  if (isRemote(homeFolder())) return undefined;
  const diagnosis = (): Diagnosis => load("quick-diagnosis").diagnosis;
  const call = answerHook(agent, { read: readPayload, say: writeAll, diagnosis });
  if (call === undefined) return 0;
  shared[HANDED_OVER] = call;
  return undefined;
}

/** To its end, whatever its length: the agent's pipe must not break. */
export function readPayload(): Buffer {
  const bytes = readAll(PAYLOAD_MAX);
  if (bytes.length > PAYLOAD_MAX) while (readAll(PAYLOAD_MAX).length > 0);
  return bytes;
}

function isPipe(): boolean {
  try {
    return !mayBeTerminal();
  } catch {
    return false;
  }
}

/** Standard input can be read once, so a call is handed over read; two bundles of one process meet at a symbol. */
const HANDED_OVER = Symbol.for("unstuck.hook-call");
const shared = globalThis as { [HANDED_OVER]?: HookCall };

export function takeOver(): HookCall | undefined {
  const call = shared[HANDED_OVER];
  delete shared[HANDED_OVER];
  return call;
}
