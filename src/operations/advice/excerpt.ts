/**
 * The relevant part of a failed check's output, as a run would show it to an agent: kind, headline, excerpt and failing
 * items. Invariant: of output longer than `READ_CHARS` both ends are read.
 */
import { NO_RULES } from "../../core/classify/rule-book.ts";
import { readOutcome, type CheckOutcome } from "../../core/checks/outcome.ts";
import { readEvidence, type Evidence } from "../../core/evidence.ts";
import { checkExcerpt } from "../../core/excerpt/check-excerpt.ts";
import type { FailingItem } from "../../core/excerpt/failing-items.ts";
import { checkFailure } from "../../core/run/decide/attempt-failure.ts";
import { operation, ProblemError } from "../operation.ts";
import { evidenceProblem } from "./evidence.ts";

export interface ToldOutput {
  /** As in a run, plus the cases that the check passed or could not run. */
  readonly kind: "verification_failed" | "broken_build" | "timeout" | "cannot_run" | "passed";
  readonly headline: string;
  readonly excerpt: string;
  readonly items: readonly FailingItem[];
}

const READ_CHARS = { head: 1_000_000, tail: 3_000_000 };

function bothEnds(text = ""): { readonly text: string; readonly cut: boolean } {
  const { head, tail } = READ_CHARS;
  const cut = text.length > head + tail;
  return { text: cut ? `${text.slice(0, head)}\n${text.slice(-tail)}` : text, cut };
}

export const excerptOutput = operation({
  name: "excerpt",
  schemas: async () => (await import("./schemas.ts")).excerptOutput,
  run(_context, { fields, called, budget }): ToldOutput {
    const reading = readEvidence(fields);
    if (!reading.ok) throw new ProblemError("bad-input", evidenceProblem(reading, called));
    const { command = "", exitCode = FAILED } = reading.evidence;
    const [out, err] = [bothEnds(reading.evidence.stdout), bothEnds(reading.evidence.stderr)];
    const output = { command, stdout: out.text, stderr: err.text };
    const excerpt = checkExcerpt(output, budget);
    const { headline, text, items } = excerpt;
    const { kind } = readOutcome(
      { kind: "exited", code: exitCode },
      { ...output, cut: out.cut || err.cut },
    );
    const failed = { origin: "check", command, exitCode, excerpt } as const;
    return { kind: KINDS[kind] ?? kindOf(failed), headline, excerpt: text, items };
  },
});

/** Without an exit code the check is assumed to have failed. */
const FAILED = 1;

const KINDS: { readonly [kind in CheckOutcome["kind"]]?: ToldOutput["kind"] } = {
  passed: "passed",
  "could-not-run": "cannot_run",
};

function kindOf(evidence: Evidence): ToldOutput["kind"] {
  const { kind } = checkFailure(evidence, NO_RULES);
  return kind === "timeout" || kind === "broken_build" ? kind : "verification_failed";
}
