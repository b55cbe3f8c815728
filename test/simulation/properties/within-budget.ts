/**
 * Runs stay within their budgets: spent plus reserved, recovery iterations, places. Reckoned from the journal and
 * from what the agents really did, not from the run's own ledger. The bound: nothing above the budget when an
 * attempt starts; after that, one overrun for each attempt that was under way then.
 */
import { MEASURES, type Budget, type Measure } from "../../../src/core/budget.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { agentsWithoutOwner, eventOf, idOf, judging, subtaskOf, type Report } from "./reading.ts";

/** What an attempt may overrun its time by: the kill takes a while. */
const OVERRUN_MS = 25_000;

interface Account {
  readonly name: string;
  limit: Budget;
  readonly taken: { [measure in Measure]?: number };
  /** Attempts that have ended since one was last started: each may have overrun once. */
  ended: number;
}

export const moneyAndTime = judging(
  "spent and reserved stay within the budget",
  (history, report) => {
    const { run, plan } = history;
    const ofRun: Account = { name: "the run", limit: plan.plan.budget, taken: {}, ended: 0 };
    const ofSubtask = new Map<string, Account>();
    for (const { id, limits } of plan.plan.subtasks)
      ofSubtask.set(id, { name: id, limit: limits?.budget ?? {}, taken: {}, ended: 0 });
    const { recoveryBudget = {} } = plan.plan;
    const ofRecovery: Account = { name: "recovery", limit: recoveryBudget, taken: {}, ended: 0 };
    const iterating = new Set<string>();
    const recoveryAsked = new Set<string>();
    const caps = new Map<string, Budget>();
    const worked = new Map<string, number>();
    const accounts = (about: { readonly subtask: string; readonly attempt: number }): Account[] => [
      ...[ofRun, ofSubtask.get(about.subtask) ?? ofRun],
      ...(iterating.has(idOf(run, about)) ? [ofRecovery] : []),
    ];
    const follow = (event: RunEvent, where: number): void => {
      if (event.kind === "attempt-dispatched") {
        caps.set(idOf(run, event), event.cap);
        if (event.spec.iteration) iterating.add(idOf(run, event));
        for (const account of accounts(event)) {
          take(account, event.cap, 1);
          account.ended = 0;
          judge(account, 0, where, report);
        }
      }
      if (event.kind === "received" && event.input.kind === "attempt-ended") {
        const { input } = event;
        const cap = caps.get(idOf(run, input)) ?? {};
        const { used } = input.remains;
        const { timeMs = Infinity } = used;
        if (used.timeMs === undefined && input.observed?.kind !== "lost")
          report(where, `${idOf(run, input)} was not lost, and its time is not booked`);
        if (timeMs < Math.min(worked.get(idOf(run, input)) ?? 0, cap.timeMs ?? Infinity))
          report(where, `${idOf(run, input)} worked longer than the ${timeMs} ms that were booked`);
        for (const account of accounts(input)) {
          take(account, cap, -1);
          take(account, { attempts: 1, ...used }, 1);
          account.ended += 1;
          judge(account, account.ended * OVERRUN_MS, where, report);
        }
      }
      if (event.kind === "attempt-cut-off")
        for (const account of accounts(event)) take(account, { attempts: 1 }, -1);
      if (event.kind === "checkpoint-opened" && event.checkpoint.context.budgetOf === "recovery")
        recoveryAsked.add(event.checkpoint.id);
      if (event.kind === "checkpoint-closed" && event.answer.kind === "top-up") {
        const ofOne = event.subtask === undefined ? ofRun : ofSubtask.get(event.subtask);
        const account = recoveryAsked.has(event.checkpoint) ? ofRecovery : ofOne;
        if (account !== undefined) account.limit = raised(account.limit, event.answer.by);
      }
    };
    const unwatched = agentsWithoutOwner();
    return (happened, where) => {
      const event = eventOf(happened);
      if (event !== undefined) follow(event, where);
      if (happened.kind === "agent-ended") worked.set(happened.attemptId, happened.activeMs);
      const isUnwatched = unwatched(happened);
      if (happened.kind !== "agent-ended" || isUnwatched) return;
      const { timeMs } = caps.get(happened.attemptId) ?? {};
      if (timeMs !== undefined && happened.activeMs > timeMs + OVERRUN_MS)
        report(where, `${happened.attemptId} ran ${happened.activeMs} ms, its cap was ${timeMs}`);
    };
  },
);

function take(account: Account, amount: Budget, sign: 1 | -1): void {
  for (const measure of MEASURES)
    account.taken[measure] = (account.taken[measure] ?? 0) + sign * (amount[measure] ?? 0);
}

function judge(
  { name, limit, taken }: Account,
  overrun: number,
  where: number,
  report: Report,
): void {
  for (const measure of MEASURES) {
    const most = limit[measure];
    const slack = measure === "timeMs" ? overrun : 0;
    if (most !== undefined && (taken[measure] ?? 0) > most + slack + 1e-6)
      report(where, `${measure} of ${name}: ${taken[measure]} spent and reserved of ${most}`);
  }
}

const raised = (limit: Budget, by: Budget): Budget =>
  Object.fromEntries(
    MEASURES.flatMap((measure) => {
      const most = limit[measure];
      return most === undefined ? [] : [[measure, most + (by[measure] ?? 0)]];
    }),
  );

export const iterations = judging(
  "iterations stay within the recovery budget",
  (history, report) => {
    const { totalRecoveryBudget } = history.plan.policy.recovery;
    const used = new Map<string, number>();
    return (happened, where) => {
      const event = eventOf(happened);
      if (event?.kind !== "attempt-dispatched" || !event.spec.iteration) return;
      if (event.spec.resumes === true) return;
      const count = (used.get(event.subtask) ?? 0) + 1;
      used.set(event.subtask, count);
      if (count > totalRecoveryBudget)
        report(where, `${event.subtask} made iteration ${count} of ${totalRecoveryBudget}`);
    };
  },
);

export const places = judging("no more agents than places", (history, report) => {
  const { concurrency } = history.plan.plan;
  const working = new Set<string>();
  return (happened, where) => {
    if (happened.kind === "agent-released") working.add(happened.attemptId);
    if (happened.kind === "agent-ended") working.delete(happened.attemptId);
    if (happened.kind === "agent-released" && working.size > concurrency)
      report(where, `${working.size} agents at once (${[...working].map(subtaskOf).join()})`);
  };
});
