/**
 * Detects that the owner of a run has nothing more to do: it is paused, or only an answer could continue it. While a
 * person is there to answer, it waits for them.
 */
import type { RunState } from "../../core/run/state.ts";
import { needsPerson } from "../../core/run/view.ts";
import type { Journal } from "../../journal/journal.ts";

const SETTLE_MS = 20;

/** Nothing continues before a person answers or resumes it. */
const isStill = (state: RunState): boolean => needsPerson(state) || state.phase === "paused";

/** Settles when the run stands still, its inbox is empty, and nobody is there to answer. */
export function awaitStandstill(
  journal: Journal,
  run: string,
  state: () => RunState,
  attended: AbortSignal | undefined,
): { readonly promise: Promise<void>; readonly cancel: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const isAttended = (): boolean => attended?.aborted === false && needsPerson(state());
  const look = async (): Promise<void> => {
    if (!isStill(state()) || isAttended()) return;
    const told = await journal.posted(run, 0, 1);
    if (told.length === 0 && isStill(state())) resolve();
  };
  const soon = (): void => void setTimeout(() => void look().catch(reject), SETTLE_MS);
  const unwatch = journal.watch(soon);
  attended?.addEventListener("abort", soon);
  soon();
  return {
    promise,
    cancel() {
      unwatch();
      attended?.removeEventListener("abort", soon);
    },
  };
}
