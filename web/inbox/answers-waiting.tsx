/** A run without a process has to be resumed before it takes the answers given: one button for all of them. */
import { useState } from "preact/hooks";
import { count } from "../../src/core/amounts.ts";
import { change, problemOf, type Problem } from "../api/client.ts";
import type { InboxQuestion } from "../api/operations.ts";
import { readAgain } from "../api/reading.ts";
import { runPath } from "../shell/route.ts";

export function AnswersWaiting({ questions }: { readonly questions: readonly InboxQuestion[] }) {
  const answers = new Map<string, number>();
  for (const { run, given } of questions)
    if (given !== undefined) answers.set(run, (answers.get(run) ?? 0) + 1);
  return (
    <>
      {[...answers].map(([run, times]) => (
        <Waiting key={run} run={run} answers={times} />
      ))}
    </>
  );
}

function Waiting({ run, answers }: { readonly run: string; readonly answers: number }) {
  const [problem, setProblem] = useState<Problem>();
  const [resumed, setResumed] = useState(false);
  const resume = (): void => {
    setResumed(true);
    change("resume", { run }).then(readAgain, (error: unknown) => {
      setResumed(false);
      setProblem(problemOf(error));
    });
  };
  return (
    <section class="answers-waiting panel" aria-label={`Answers for run ${run}`}>
      <p>
        {count(answers, "answer")} {answers === 1 ? "waits" : "wait"} for run{" "}
        <a href={runPath(run)}>{run.slice(run.lastIndexOf("-") + 1)}</a>
        <span class="dim"> to be resumed: it is not running now</span>
      </p>
      <button class="primary" disabled={resumed} onClick={resume}>
        {resumed ? "Resuming" : "Resume the run"}
      </button>
      {problem === undefined ? null : (
        <p class="notice" data-tone="failed" role="alert">
          {problem.message}
        </p>
      )}
    </section>
  );
}
