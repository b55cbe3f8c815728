/** A subtask's attempts in a row: what each did differently, its model, cost and outcome. */
import type { OutlinedAttempt, OutlinedSubtask, RunOutline } from "../api/operations.ts";
import { Icon } from "../parts/icons.tsx";
import { Took } from "../parts/times.tsx";
import { runPath } from "../shell/route.ts";
import { attemptLook, beganWith } from "./attempt-words.ts";

interface Props {
  readonly outline: RunOutline;
  readonly subtask: OutlinedSubtask;
}

export const Ribbon = ({ outline, subtask }: Props) => (
  <ol class="ribbon" aria-label={`Attempts of ${subtask.id}`}>
    {subtask.attempts.map((attempt) => (
      <li key={attempt.attempt}>
        <a
          class="ribbon-attempt"
          href={runPath(outline.run, subtask.id, attempt.attempt)}
          data-tone={attemptLook(subtask, attempt, outline).tone}
        >
          <Attempt {...{ outline, subtask, attempt }} />
        </a>
      </li>
    ))}
  </ol>
);

function Attempt({ outline, subtask, attempt }: Props & { readonly attempt: OutlinedAttempt }) {
  const { attempt: number, model, agent, used, startedAt, endedAt } = attempt;
  const { icon, words } = attemptLook(subtask, attempt, outline);
  return (
    <>
      <span class="ribbon-head">
        <span class="ribbon-number">{number}</span>
        <span class="state">
          <Icon name={icon} />
          <span>{words}</span>
        </span>
      </span>
      <span class="ribbon-how">{beganWith(outline, subtask, attempt) ?? "first attempt"}</span>
      <span class="ribbon-facts dim">
        <span>{model ?? agent ?? "by hand"}</span>
        {used.usd === undefined ? null : <span>${used.usd.toFixed(2)}</span>}
        {startedAt === undefined || (outline.stopped && endedAt === undefined) ? null : (
          <Took from={startedAt} to={endedAt} />
        )}
      </span>
    </>
  );
}
