/**
 * Replays this home's recorded runs under another policy or threshold: where it would have chosen differently, and what
 * is known about the outcome. Nothing is started or written. A threshold applies to each decision; earlier scores stay
 * as they were recorded.
 */
import { policyOf } from "../../core/adaptive/policy-of.ts";
import { defined } from "../../core/defined.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { backtest, type DivergingChoice } from "../../core/history/backtest.ts";
import { KIND_WORDS } from "../../core/kind-words.ts";
import { withLoopSettings } from "../../core/policy/loop-settings.ts";
import { policyNamed } from "../../core/policy/read.ts";
import { RECOVERY_WORDS } from "../../core/recovery.ts";
import { standardRules } from "../../core/rules/standard.ts";
import { operation, ProblemError } from "../operation.ts";
import { findRun } from "../runs/find-run.ts";
import { withHome } from "../runs/open-run.ts";
import { policyOfOption } from "../runs/policy-file.ts";
import { recordedEvents } from "../runs/recorded.ts";
import type { ReplayedHistory } from "./history-schemas.ts";

export type { ReplayedHistory };

type Otherwise = ReplayedHistory["otherwise"][number];

const MOST = 500;

export const replayHistory = operation({
  name: "simulate-history",
  schemas: async () => (await import("./history-schemas.ts")).replayHistory,
  async run(context, input) {
    const { stuckAfter, recoveryBudget, progressThreshold } = input;
    const named = policyOfOption(input.policy, context.cwd)?.policy ?? policyByName(input.policy);
    const flags = defined({ stuckAfter, recoveryBudget, progressThreshold });
    const policy = policyOf(withLoopSettings(named, {}, flags));
    const rules = standardRules();
    return withHome(async ({ journal }) => {
      const rows =
        input.run === undefined
          ? await journal.runs()
          : [await findRun(context, journal, input.run)];
      let [decisions, unclear] = [0, 0];
      const all: Otherwise[] = [];
      for (const { id: run } of rows) {
        const replay = backtest(policy, rules);
        for await (const { seq, event } of recordedEvents(journal, run)) replay.add(seq, event);
        const { otherwise, ...counted } = replay.result();
        decisions += counted.decisions;
        unclear += counted.unclear;
        all.push(...otherwise.map((one) => told(run, one)));
      }
      return {
        ...{ policy: policy.name, runs: rows.length, decisions, unclear },
        ...{ otherwise: all.slice(0, MOST), left: Math.max(0, all.length - MOST) },
      };
    });
  },
});

function policyByName(name: string | undefined) {
  const found = policyNamed(name);
  if (found.ok) return found.value;
  throw new ProblemError("bad-input", `--policy: ${found.problem}`);
}

function told(run: string, one: DivergingChoice): Otherwise {
  const { subtask, failure, did, would, because, ...rest } = one;
  return {
    ...{ run, ...rest, did, didWords: RECOVERY_WORDS[did].did },
    ...{ subtask: cleanLine(subtask, 64), failure: KIND_WORDS[failure].name },
    ...defined({ would, wouldWords: would && RECOVERY_WORDS[would].does }),
    because: cleanLine(because, 300),
  };
}
