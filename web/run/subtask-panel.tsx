/** One subtask of a run: its task, its attempts, and every decision about it. */
import type { ExplainedDecision, OutlinedSubtask, RunOutline } from "../api/operations.ts";
import { useReading } from "../api/reading.ts";
import { State, subtaskLook } from "../parts/state-words.tsx";
import { Read } from "../parts/states.tsx";
import { DecisionCard } from "./decision-card.tsx";
import { Ribbon } from "./ribbon.tsx";

interface Props {
  readonly outline: RunOutline;
  readonly subtask: OutlinedSubtask;
}

export function SubtaskPanel({ outline, subtask }: Props) {
  const { id, phase, prompt, dependsOn, attempts, story } = subtask;
  return (
    <section class="subtask panel" aria-labelledby="subtask-title">
      <header class="subtask-head">
        <h2 id="subtask-title">{id}</h2>
        <State of={subtaskLook(subtask, outline)} />
      </header>
      <p class="subtask-prompt">{prompt}</p>
      {dependsOn.length === 0 ? null : <p class="dim">After {dependsOn.join(", ")}</p>}
      {phase === "asking" && !outline.ended ? (
        <a class="button" href="/inbox">
          Answer its question
        </a>
      ) : null}
      {attempts.length === 0 ? (
        <p class="dim">Nothing was tried yet.</p>
      ) : (
        <Ribbon outline={outline} subtask={subtask} />
      )}
      {story === "" ? null : (
        <>
          <h3>Decisions</h3>
          <Decisions run={outline.run} subtask={id} />
        </>
      )}
    </section>
  );
}

/** Decisions that lead from one attempt to the next, or end the subtask. */
const TOLD: ReadonlySet<string> = new Set(["recovery-chosen", "alert-raised", "subtask-done"]);

export function Decisions({ run, subtask }: { readonly run: string; readonly subtask: string }) {
  const explained = useReading("explain", { run, subtask }, [`run ${run}`]);
  return (
    <Read reading={explained.value} rows={2}>
      {({ decisions }) => <Cards decisions={decisions} />}
    </Read>
  );
}

function Cards({ decisions }: { readonly decisions: readonly ExplainedDecision[] }) {
  const told = decisions.filter(({ event }) => TOLD.has(event.kind));
  const last = told.findLast(({ event }) => event.kind === "recovery-chosen");
  return (
    <div class="decisions">
      {told.map((decision) => (
        <DecisionCard key={decision.seq} of={decision} open={decision === last} />
      ))}
    </div>
  );
}
