/**
 * Conditions the runtime waits out instead of giving up: processes of an attempt that outlive it, a full disk, a git
 * that hangs. Invariants: nothing starts in a tree while a process of an earlier attempt may work in it; finished work
 * is never redone because the disk was full when it had to be saved; letting go ends every wait.
 */
import type { FailureKind } from "../core/kinds.ts";
import type { TreeAnswer } from "./ports-workspace.ts";
import type { RunUnderway } from "./ports.ts";

/** Resolves to true once no process of the attempt is alive, to false if this owner lets go first. */
export async function untilDead(
  underway: RunUnderway,
  attemptId: string,
  identity?: unknown,
): Promise<boolean> {
  const { ports, stop } = underway;
  let told = "";
  while (!stop.aborted) {
    const survivors = await ports.proveDead(attemptId, identity);
    if (survivors.length === 0) return true;
    const names = survivors.map(({ pid, name, why }) => `process ${pid} (${name}, ${why})`);
    const text = `${attemptId}: cannot end ${names.join(", ")}; end it, and the subtask goes on`;
    if (text !== told) ports.tell(text);
    told = text;
    await pause(underway);
  }
  return false;
}

/** Failures that pass, or that a person fixes: finished work must not be lost to them. */
const PASSING: { readonly [kind in FailureKind]?: string } = {
  disk_full: "the disk is full: waiting for room, nothing is lost",
  timeout: "git did not end in time: it is tried again, nothing is lost",
};

/** Retries while the disk is full or git hangs; any other refusal is returned to the caller. */
export async function retryWhileFull<T>(
  underway: RunUnderway,
  work: () => Promise<TreeAnswer<T>>,
): Promise<TreeAnswer<T>> {
  let told = "";
  for (;;) {
    const answer = await work();
    if (answer.ok || underway.stop.aborted) return answer;
    const text = PASSING[answer.failure.kind];
    if (text === undefined) return answer;
    if (text !== told) underway.ports.tell(text);
    told = text;
    await pause(underway);
  }
}

function pause({ ports, stop }: RunUnderway): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = ports.clock.at(ports.clock.now() + 15_000, resolve);
  const letGo = (): void => {
    cancel();
    resolve();
  };
  stop.addEventListener("abort", letGo, { once: true });
  if (stop.aborted) letGo();
  return promise.finally(() => stop.removeEventListener("abort", letGo));
}
