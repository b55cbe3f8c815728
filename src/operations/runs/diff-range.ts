/**
 * The two trees that `diff` compares: the result with the base, or an attempt's tree with where it began, the commit
 * its subtask would go back to, the base, or another attempt's tree.
 */
import { cleanLine } from "../../core/foreign-text.ts";
import { subtaskAt } from "../../core/run/state.ts";
import { resultTip } from "../../workspace/git/commits.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { readSnapshot } from "../../workspace/snapshots/read-snapshot.ts";
import { ProblemError } from "../operation.ts";
import type { OpenRun } from "./open-run.ts";
import { recordedRun } from "./recorded.ts";

interface Asked {
  readonly attempt?: string | undefined;
  readonly against?: string | undefined;
}

interface DiffRange {
  readonly from: string;
  readonly to: string;
}

export async function diffRange(
  open: OpenRun,
  run: Run,
  { attempt, against = "start" }: Asked,
): Promise<DiffRange> {
  if (attempt === undefined) {
    if (against === "start" || against === "base")
      return { from: run.base, to: await resultTip(run) };
    throw new ProblemError("bad-input", "--against needs --attempt: it says what to compare with");
  }
  const to = await treeOf(run, attempt, "after");
  if (against === "base") return { from: run.base, to };
  if (against === "start") return { from: await treeOf(run, attempt, "before"), to };
  if (against === "good") return { from: await goodCommitOf(open, attempt), to };
  return { from: await treeOf(run, against, "after"), to };
}

async function treeOf(run: Run, attempt: string, when: "before" | "after"): Promise<string> {
  const found = await readSnapshot(run, `${attempt}/${when}`);
  if (found.ok) return found.value.tree;
  const name = cleanLine(attempt, 80);
  const { ok: hasStarted } = await readSnapshot(run, `${attempt}/before`);
  throw hasStarted
    ? new ProblemError("not-now", `${name} has not ended yet: what it changed is known then`)
    : new ProblemError(
        "not-found",
        `run ${run.id} has no attempt ${name}; see them: unstuck logs ${run.id} --list`,
      );
}

/** The commit from which a fresh start of the subtask would begin. */
async function goodCommitOf({ journal, row }: OpenRun, attempt: string): Promise<string> {
  const subtask = attempt.slice(0, Math.max(0, attempt.lastIndexOf("/")));
  const { state } = await recordedRun(journal, row.id);
  const index = state.graph.indexOf.get(subtask);
  const commit = index === undefined ? undefined : subtaskAt(state, index).goodCommit;
  if (commit !== undefined) return commit;
  throw new ProblemError(
    "not-found",
    `${cleanLine(subtask, 80)} has no good commit: its checks have not passed yet`,
  );
}
