/** Merges are serial, and "verified" means that the checks passed on the very tree that became the result. */
import { BASE } from "../world/repository.ts";
import { eventOf, idOf, inputOf, judging, subtaskOf } from "./reading.ts";

export const mergesAreSerial = judging("merges are serial", (history, report) => {
  let merging: string | undefined;
  let tip = BASE;
  return (happened, where) => {
    const event = eventOf(happened);
    if (event?.kind === "merge-dispatched") {
      const id = idOf(history.run, event);
      if (merging !== undefined) report(where, `${id} is merged beside ${merging}`);
      merging = id;
    }
    const input = inputOf(happened);
    if (input?.kind === "merge-ended") merging = undefined;
    if (happened.kind !== "result-moved") return;
    if (happened.from !== tip) report(where, `the result moved from ${happened.from}, not ${tip}`);
    tip = happened.to;
  };
});

export const verifiedIsChecked = judging("verified means checked", (history, report) => {
  // A verdict on a tree holds for whichever attempt of the subtask came to it.
  const passed = new Set<string>();
  const moved = new Map<string, string>();
  const planned = new Map(history.plan.plan.subtasks.map((subtask) => [subtask.id, subtask]));
  return (happened, where) => {
    if (happened.kind === "check-ended" && happened.result === "passed")
      passed.add(`${subtaskOf(happened.attemptId)} ${happened.tree}`);
    if (happened.kind === "result-moved") moved.set(happened.attemptId, happened.tree);
    const event = eventOf(happened);
    if (event?.kind !== "subtask-done") return;
    if (event.phase === "answered") return;
    const { checks = 0 } = planned.get(event.subtask) ?? {};
    if (checks === 0) {
      if (event.phase === "verified")
        report(where, `${event.subtask} has no check, but is called verified`);
      return;
    }
    const id = idOf(history.run, event);
    if (event.notes?.some(({ kind }) => kind === "dropped-checks")) {
      if (event.phase === "verified") report(where, `${id} is verified without all its checks`);
      return;
    }
    const tree = moved.get(id);
    if (tree === undefined) report(where, `${id} is done, but the result never moved for it`);
    else if (!passed.has(`${subtaskOf(id)} ${tree}`))
      report(where, `${id} is done, but its checks never passed on the merged tree ${tree}`);
  };
});

/** Checks judge where no agent ever was (U5). */
export const checksHaveTheirOwnTrees = judging("checks run in check trees", (_, report) => {
  return (happened, where) => {
    if (happened.kind === "check-begun" && !happened.cwd.startsWith("checks/"))
      report(where, `a check of ${happened.attemptId} ran in ${happened.cwd}`);
  };
});

export const verifiedRunsAreChecked = judging(
  "a verified run's result was checked",
  (history, report) => {
    let checked = false;
    return (happened, where) => {
      if (happened.kind === "result-moved") checked = false;
      const input = inputOf(happened);
      if (input?.kind === "final-check-ended") checked = input.result.kind === "passed";
      const event = eventOf(happened);
      const judged = history.plan.plan.judged === true;
      if (event?.kind === "run-ended" && event.outcome === "verified" && judged && !checked)
        report(where, "the run is called verified, but its result was not checked");
    };
  },
);
