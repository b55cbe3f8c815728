/**
 * Pausing a run, and ending it for good, whatever it waits for; what is verified by then is published. Invariants:
 * what a person stopped is taken up by a person only; of a cancelled run, what was under way is proven dead before it
 * is over, also where its owner died.
 */
import { operation, ProblemError } from "../operation.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { withRun } from "./open-run.ts";
import { isSoon, isWorkedOn, lastPause } from "./standing.ts";
import { wholeStart } from "./started-with.ts";
import { workOnRun } from "./work-on-run.ts";

/** How long whoever works on the run may take. */
export const PAUSE_WAIT_MS = 40_000;
export const CANCEL_WAIT_MS = 60_000;

export const stopRun = operation({
  name: "stop",
  schemas: async () => (await import("./schemas.ts")).stopRun,
  run: (context, asked) => {
    refuseInsideAttempt("stop");
    return withRun(context, asked.run, async ({ journal, row }) => {
      const { id: run, phase, outcome } = row;
      const begun = row.seq > 0;
      const ownerAlive = isWorkedOn(row);
      const isOpen = phase !== "ended" && begun;
      if (isOpen)
        await journal.post(run, {
          ...{ at: Date.now(), chance: 0, kind: "pause-requested" },
          ...{ by: "user", reason: "stopped by the user" },
          pause: (await lastPause(journal, run)) + 1,
        });
      const paused =
        isOpen &&
        (!ownerAlive || (await isSoon(journal, run, (now) => !isWorkedOn(now), PAUSE_WAIT_MS)));
      return {
        ...{ run, phase, begun, ownerAlive, paused },
        ...(outcome === undefined ? {} : { outcome: { kind: outcome } }),
      };
    });
  },
});

export const cancelRun = operation({
  name: "cancel",
  schemas: async () => (await import("./schemas.ts")).cancelRun,
  run: (context, asked) => {
    refuseInsideAttempt("cancel");
    return withRun(context, asked.run, async ({ home, journal, row }) => {
      const { id: run, phase: before, outcome } = row;
      if (row.seq === 0)
        throw new ProblemError(
          "not-now",
          `run ${run} has not begun: unstuck clean ${run} removes it`,
          { run },
        );
      const cancel = async (): Promise<boolean> => {
        if (isWorkedOn(row)) {
          const reason = "cancelled by the user";
          await journal.post(run, { at: Date.now(), chance: 0, kind: "cancel-requested", reason });
          return isSoon(journal, run, ({ phase }) => phase === "ended", CANCEL_WAIT_MS);
        }
        const { phase } = await workOnRun({
          ...{ run, home, journal, isNew: false, first: "cancel" },
          start: await wholeStart(journal, run, home.runDir(run)),
          tell: context.tell ?? (() => undefined),
          pause: new AbortController().signal,
        });
        return phase === "ended";
      };
      return {
        ...{ run, before, ended: before === "ended" || (await cancel()) },
        ...(outcome === undefined ? {} : { outcome: { kind: outcome } }),
      };
    });
  },
});
