/**
 * The short way of `unstuck hook <agent>`, a bundle of its own: without commander, and without classifier and
 * stuck detector until something failed or came again. Everything else, and what needs more, goes the long way.
 */
import type { CloserLook } from "../agents/hooks/closer-look.ts";
import { hooksOf } from "../agents/registry.ts";
import { isRemote } from "./answering-home.ts";
import { homeFolder } from "./home.ts";
import { callHook } from "./hook-call.ts";
import { handOver } from "./hook-handover.ts";
import { mayBeTerminal } from "./plain-io.ts";

/** The exit code, or nothing where the long way has to be taken. `load` brings another bundle of this folder. */
export function hot(
  [, agent = "", ...more]: readonly string[],
  load: (bundle: "hot-hint") => CloserLook,
): number | undefined {
  if (more.length > 0 || hooksOf(agent) === undefined || !isPipe()) return undefined;
  if (isRemote(homeFolder())) return undefined;
  const call = callHook(agent, () => load("hot-hint"));
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
