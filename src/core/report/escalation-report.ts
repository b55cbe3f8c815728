/**
 * The escalation report of a subtask that needs a person, with the exact headings of its source document plus
 * Dependencies.
 */
import { escapeMarkdown, fence } from "../foreign-text.ts";
import type { SubtaskPast } from "../history/run-history.ts";
import { hasTrait, KINDS, type FailureKind } from "../kinds.ts";
import type { Phase } from "../run/view.ts";

export interface ReportedSubtask {
  readonly id: string;
  readonly phase: Phase;
  readonly past: SubtaskPast;
  readonly dependsOn: readonly string[];
  /** Subtasks that cannot start before this one is done, directly or indirectly. */
  readonly blocks: readonly string[];
  /** The files its last attempt changed compared with the base. */
  readonly files: readonly string[];
}

export interface EscalationInput extends Pick<ReportedSubtask, "files" | "dependsOn" | "blocks"> {
  readonly subtaskId: string;
  /** What went wrong, in a sentence or two. */
  readonly summary: string;
  readonly kind: FailureKind;
  readonly attempts: readonly { readonly approach: string; readonly result: string }[];
  /** The last error. */
  readonly error: string;
}

export const MAX_LISTED = 50;

export function escalationReport(input: EscalationInput): string {
  const attempts = input.attempts.map((one, index) => attemptLine({ ...one, number: index + 1 }));
  const dependencies = [
    ...input.dependsOn.map((id) => `- Depends on ${escapeMarkdown(id, 120)}`),
    ...input.blocks.map((id) => `- Blocks ${escapeMarkdown(id, 120)}`),
  ];
  const actions = recommendedActions(input.kind).map((action) => `- [ ] ${action}`);
  return [
    `## Stuck Subtask: ${escapeMarkdown(input.subtaskId, 120)}`,
    `### Summary\n${escapeMarkdown(input.summary, 1000)}`,
    `### Attempts Made\n${bounded(attempts, attempts.slice(-MAX_LISTED))}`,
    `### Error Details\n${fence(input.error)}`,
    `### Files Involved\n${bounded(bullets(input.files))}`,
    `### Dependencies\n${bounded(dependencies)}`,
    `### Recommended Actions\n${bounded(actions)}`,
    "",
  ].join("\n\n");
}

/** The most specific first. */
export const recommendedActions = (kind: FailureKind): readonly string[] => [
  KINDS[kind].action,
  "Review error logs",
  ...(hasTrait(kind, "dependencies") ? ["Check external dependencies"] : []),
  ...(hasTrait(kind, "no-alternative") ? [] : ["Consider alternative approach"]),
];

export const attemptLine = (told: { number: number; approach: string; result: string }): string =>
  `${told.number}. Attempt ${told.number}: ${escapeMarkdown(told.approach)} - ${escapeMarkdown(told.result)}`;

export const bullets = (texts: readonly string[]): readonly string[] =>
  texts.map((text) => `- ${escapeMarkdown(text)}`);

export const listed = (lines: readonly string[]): string =>
  lines.length === 0 ? "None" : lines.join("\n");

function bounded(lines: readonly string[], kept = lines.slice(0, MAX_LISTED)): string {
  const leftOut = lines.length - kept.length;
  return listed(leftOut === 0 ? kept : [...kept, "", `(${leftOut} more left out)`]);
}
