/**
 * A run on a common time axis, for pages that draw it: its subtasks with their dependencies, its attempts, waits and
 * questions with their times. Invariants: one pass over the events; it reads no files and no git, so it can be
 * requested after every change; every text is sanitized and bounded.
 */
import { cleanLine, cleanText } from "../../core/foreign-text.ts";
import type { PastAttempt } from "../../core/history/run-history.ts";
import { KIND_WORDS } from "../../core/kind-words.ts";
import { RECOVERY_WORDS } from "../../core/recovery.ts";
import { storyText } from "../../core/report/phrases.ts";
import { isStopped, phases } from "../../core/run/view.ts";
import { defined, operation } from "../operation.ts";
import { withRun } from "../runs/open-run.ts";
import { isWorkedOn } from "../runs/status.ts";
import type { timedFold } from "../serve/kept-runs.ts";
import { derivedFromRun } from "../serve/derived-from-run.ts";

const LINE_CHARS = 300;
const PROMPT_CHARS = 2000;

export const outlineRun = operation({
  name: "outline",
  schemas: async () => (await import("./outline-schema.ts")).outlineRun,
  run: (context, { run }) =>
    withRun(context, run, async ({ journal, row }) => {
      const isLeft = !isWorkedOn(row);
      return derivedFromRun(journal, row, {
        ...{ name: "outline", key: String(isLeft) },
        make: (folded) => outlineOf(row.id, folded, isLeft),
      });
    }),
});

/** `isLeft`: no process works on it. */
function outlineOf(run: string, folded: ReturnType<typeof timedFold>, isLeft: boolean) {
  const [state, history, times] = [folded.state(), folded.history(), folded.times];
  const shown = phases(state);
  return {
    run,
    goal: cleanLine(state.plan.goal, LINE_CHARS),
    ...defined({ startedAt: history.startedAt }),
    at: history.at,
    stopped: isStopped(state) || isLeft,
    ended: state.phase === "ended",
    paused: state.phase !== "ended" && state.paused !== undefined,
    subtasks: state.plan.subtasks.map(({ id, prompt, dependsOn = [] }, index) => {
      const past = history.subtasks.get(id);
      return {
        id,
        prompt: cleanText(prompt, { maxChars: PROMPT_CHARS }),
        phase: shown[index] ?? "pending",
        dependsOn,
        story: storyText(past?.events ?? []),
        attempts: [...(past?.attempts.values() ?? [])].map(outlined),
        waits: (times.waits.get(id) ?? []).map((wait) => ({ ...wait })),
      };
    }),
    questions: [...times.questions.values()],
    incidents: times.incidents(),
  };
}

function outlined(past: PastAttempt) {
  const { attempt, startedAt, endedAt, entry, recovery, branch, failure, used, succeeded } = past;
  return {
    ...{ attempt, used, succeeded },
    ...defined({ startedAt, endedAt, branch, agent: entry?.agent, model: entry?.model }),
    ...defined({ recovery: recovery && RECOVERY_WORDS[recovery].did }),
    ...(failure === undefined
      ? {}
      : {
          failure: {
            name: KIND_WORDS[failure.kind].name,
            words: cleanLine(failure.because[0] ?? "", LINE_CHARS),
          },
        }),
  };
}
