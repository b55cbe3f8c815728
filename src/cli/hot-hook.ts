/**
 * The short way of `unstuck hook <agent>`, a bundle of its own: without commander, and without classifier and
 * stuck detector until something failed or came again. Everything else, and what needs more, goes the long way.
 */
import { hookAgent } from "../agents/hooks/hook-event.ts";
import type { CloserLook } from "../agents/hooks/closer-look.ts";
import { isRemote } from "../operations/home-mount.ts";
import { homeFolder } from "../operations/home.ts";
import { callHook } from "./hook-call.ts";
import { handOver } from "./hook-handover.ts";
import { mayBeTerminal } from "./plain-io.ts";

/** The exit code, or nothing where the long way has to be taken. `load` brings another bundle of this folder. */
export function hot(
  [, agent = "", ...more]: readonly string[],
  load: (bundle: "hot-hint") => CloserLook,
): number | undefined {
  if (more.length > 0 || hookAgent(agent) === undefined || !isPipe()) return undefined;
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
