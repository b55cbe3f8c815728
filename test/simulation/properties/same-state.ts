/** The journal is the truth: folding it gives the state the owner lives by. */
import { fold } from "../../../src/core/run/fold/fold.ts";
import { freeze } from "../../../src/engines/restored.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import { eventOf, judging } from "./reading.ts";

export const foldIsState = judging("folding the journal gives the live state", (_, report) => {
  let state = NEW_RUN;
  let seq = 0;
  return (happened, where) => {
    const event = eventOf(happened);
    if (event !== undefined) {
      seq += 1;
      try {
        state = fold(state, event);
      } catch (error) {
        report(where, `event ${seq} cannot be folded: ${String(error)}`);
      }
    }
    if (happened.kind !== "state-seen" || happened.seq !== seq) return;
    const frozen = JSON.stringify(freeze(state));
    if (frozen === happened.frozen) return;
    if (sorted(JSON.parse(frozen)) !== sorted(JSON.parse(happened.frozen)))
      report(where, `after event ${seq} the owner's state is not what the journal says`);
  };
});

/** JSON with the fields in order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === "object" && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}

export const seqIsGapless = judging("the journal has no gaps", (_, report) => {
  let seq = 0;
  return (happened, where) => {
    if (happened.kind !== "committed") return;
    seq += 1;
    if (happened.seq !== seq) report(where, `event ${happened.seq} came where ${seq} was expected`);
  };
});
