/** What the forms of a new run share: one action at a time, starting, and showing errors. */
import { useState } from "preact/hooks";
import { change, problemOf, type Problem } from "../api/client.ts";
import { go, runPath } from "../shell/route.ts";

/** Runs one action at a time, and keeps its error. */
export function useAction(): readonly [
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

export const ActionError = ({ problem }: { readonly problem: Problem | undefined }) =>
  problem === undefined ? null : (
    <p class="notice" data-tone="failed" role="alert">
      {problem.message}
    </p>
  );
