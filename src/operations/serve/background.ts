/**
 * Starting and resuming a run remotely: as at the terminal, but a process of its own works on it. Invariants: problems
 * are reported before that process exists; outside input becomes part of its command line only as a flag's value.
 */
import type { z } from "zod";
import { defined, operation, ProblemError, type InputOf } from "../operation.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { withRun } from "../runs/open-run.ts";
import { refuseRetry, tellFleetToGoOn } from "../runs/resume.ts";
import { startDetached, startRun } from "../runs/start.ts";
import { isWorkedOn } from "../runs/status.ts";
import type { startInBackground as startSchemas } from "./schemas.ts";

type StartInput = z.infer<typeof startSchemas.input>;

export const startInBackground = operation({
  name: "start-in-background",
  schemas: async () => (await import("./schemas.ts")).startInBackground,
  async run(context, input: StartInput) {
    const started = await startRun.run(context, { ...input, detach: startLine(input) });
    if (!started.ok) {
      const { code, message, ...more } = started.problem;
      throw new ProblemError(code, message, more);
    }
    return { run: started.value.run };
  },
});

export const resumeInBackground = operation({
  name: "resume-in-background",
  schemas: async () => (await import("./schemas.ts")).resumeInBackground,
  run(context, { run: asked, retry, words = "" }) {
    refuseInsideAttempt("resume");
    return withRun(context, asked, async ({ home, journal, row }) => {
      const { id: run } = row;
      if (retry !== undefined) await refuseRetry(journal, run, { subtask: retry, words });
      else if (row.phase === "ended")
        throw new ProblemError("not-now", `run ${run} has ended: ${row.outcome ?? ""}`, { run });
      if (isWorkedOn(row))
        throw new ProblemError("not-now", `run ${run} is being worked on already`, { run });
      if (row.fleet === true) {
        await tellFleetToGoOn(context, { journal, row }, { retry, words });
        return { run };
      }
      const line = ["resume", run, ...flags({ retry, words: words || undefined })];
      startDetached(home, run, line, defined({ who: context.who }));
      return { run };
    });
  },
});

/** The start itself stores a plan given as text in a file, and inserts its name after the first word. */
export function startLine({ plan, planText, trust, ...options }: StartInput): readonly string[] {
  const { checks, ...others } = options as Partial<InputOf<typeof startRun>>;
  const isTrusted = trust === true || planText !== undefined;
  return [
    "run",
    ...flags({ ...others, check: checks }),
    ...(isTrusted ? ["--trust"] : []),
    ...(plan === undefined ? [] : ["--", plan]),
  ];
}

/** Flags that also have a negated form. */
const NEGATED: ReadonlySet<string> = new Set(["grounding", "setup"]);

/** `--name=value`, so that no value is taken for a flag. */
function flags(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const given = Array.isArray(value) ? value : [value];
    if (given.length === 0 || value === false) return NEGATED.has(key) ? [`--no-${name}`] : [];
    if (value === true) return [`--${name}`];
    return given.map((one) => `--${name}=${String(one)}`);
  });
}
