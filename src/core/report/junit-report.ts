/**
 * A run as JUnit XML, for CI systems that display test results: each subtask is a test case. Unverified work counts as
 * failed, as in the exit code. Invariants: well-formed whatever the texts contain; bounded.
 */
import { cleanLine, escapeHtml } from "../foreign-text.ts";
import { tookMs } from "../history/run-history.ts";
import { noteText } from "../run/note.ts";
import type { ReportedSubtask } from "./escalation-report.ts";
import type { ReportedRun } from "./run-report.ts";

type Verdict =
  | { readonly kind: "passed" }
  | { readonly kind: "failure" | "error" | "skipped"; readonly message: string };

export function junitReport(run: ReportedRun, startedAt: number): string {
  const cases = run.subtasks.map((subtask) => ({ subtask, verdict: verdictOf(subtask) }));
  const number = (kind: Verdict["kind"]): number =>
    cases.filter(({ verdict }) => verdict.kind === kind).length;
  const counts =
    `tests="${cases.length}" failures="${number("failure")}" errors="${number("error")}" ` +
    `skipped="${number("skipped")}" time="${seconds(run.durationMs)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="unstuck" ${counts}>`,
    `  <testsuite name="${xml(run.goal || run.run, 300)}" ${counts} timestamp="${new Date(startedAt).toISOString().slice(0, 19)}">`,
    ...cases.map(({ subtask, verdict }) => testCase(run.run, subtask, verdict)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function verdictOf({ phase, past }: ReportedSubtask): Verdict {
  const question = past.questions.findLast(({ answer }) => answer === undefined);
  switch (phase) {
    case "verified":
    case "answered":
      return { kind: "passed" };
    case "unverified": {
      const notes = (past.notes ?? []).map(noteText).join("; ");
      return { kind: "failure", message: notes || "done, but nothing verifies it" };
    }
    case "stuck":
      return { kind: "failure", message: past.parked ?? "it was given up" };
    case "asking":
      return { kind: "error", message: question?.checkpoint.question ?? "it needs your answer" };
    case "blocked":
      return { kind: "skipped", message: "it waits for a subtask that is not done" };
    case "skipped":
      return { kind: "skipped", message: past.parked ?? "it was skipped" };
    default:
      return { kind: "skipped", message: "it is not done yet" };
  }
}

function testCase(run: string, { id, past }: ReportedSubtask, verdict: Verdict): string {
  const head = `    <testcase classname="${xml(run, 80)}" name="${xml(id, 120)}" time="${seconds(tookMs(past) ?? 0)}"`;
  if (verdict.kind === "passed") return `${head}/>`;
  const message = xml(verdict.message, 300);
  if (verdict.kind === "skipped")
    return `${head}>\n      <skipped message="${message}"/>\n    </testcase>`;
  const last = [...past.attempts.values()].findLast(({ failure }) => failure !== undefined);
  const type = xml(last?.failure?.kind ?? "unverified", 60);
  const text = xmlText(last?.error ?? "");
  return `${head}>\n      <${verdict.kind} type="${type}" message="${message}">${text}</${verdict.kind}>\n    </testcase>`;
}

const seconds = (ms: number): string => (Math.max(0, ms) / 1000).toFixed(3);

/** Characters that XML cannot represent at all. */
const NO_CHARACTERS = /[\ufffe\uffff]/g;

const xml = (text: string, maxChars: number): string =>
  escapeHtml(cleanLine(text, maxChars)).replace(NO_CHARACTERS, "");

const xmlText = (text: string): string => escapeHtml(text).replace(NO_CHARACTERS, "");
