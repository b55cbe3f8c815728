/**
 * Appends the report of a run to the summary of the current GitHub Actions step. Invariants: what the step wrote before
 * is kept; the total stays below GitHub's limit, because above it GitHub shows nothing.
 */
import { appendFileSync, statSync } from "node:fs";
import { cutMiddle } from "../../core/foreign-text.ts";
import { operation, ProblemError } from "../operation.ts";
import { reportRun } from "./report.ts";

/** GitHub accepts 1 MiB per step. */
const SUMMARY_BYTES_MAX = 1_000_000;

export const addStepSummary = operation({
  name: "step-summary",
  schemas: async () => (await import("../runs/reading-schemas.ts")).addStepSummary,
  async run(context, { run, subtask }) {
    const file = process.env["GITHUB_STEP_SUMMARY"] ?? "";
    if (file === "")
      throw new ProblemError(
        "bad-input",
        "GITHUB_STEP_SUMMARY is not set: --github works in a step of GitHub Actions. Elsewhere: unstuck report",
      );
    const reported = await reportRun.run(context, { run, subtask });
    if (!reported.ok) throw new ProblemError(reported.problem.code, reported.problem.message);
    const { markdown, run: id } = reported.value;
    const left = SUMMARY_BYTES_MAX - (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    // A UTF-16 unit takes at most three bytes.
    const fits = Buffer.byteLength(markdown) < left;
    const text = fits ? markdown : cutMiddle(markdown, Math.max(0, Math.floor(left / 3) - 1));
    if (text !== "") appendFileSync(file, `${text}\n`);
    return { run: id, added: text !== "", cut: !fits };
  },
});
