/** What the forms of a new run share: doing one thing at a time, starting, and saying what went wrong. */
import { useState } from "preact/hooks";
import { change, problemOf, type Problem } from "../api/client.ts";
import { go, runPath } from "../shell/route.ts";

/** One thing at a time, with what went wrong at it. */
export function useDoing(): readonly [
  boolean,
  Problem | undefined,
  (what: () => Promise<void>) => void,
] {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const doing = (what: () => Promise<void>): void => {
    setBusy(true);
    setProblem(undefined);
    what()
      .catch((error: unknown) => setProblem(problemOf(error)))
      .finally(() => setBusy(false));
  };
  return [busy, problem, doing];
}

export const start = async (planText: string): Promise<void> => {
  const { run } = await change("start", { planText, trust: true });
  go(runPath(run));
};

export const Trouble = ({ problem }: { readonly problem: Problem | undefined }) =>
  problem === undefined ? null : (
    <p class="notice" data-tone="failed" role="alert">
      {problem.message}
    </p>
  );
