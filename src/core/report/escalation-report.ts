/**
 * The escalation report (B6) in Markdown: the source's headings to the letter, plus Dependencies. Invariants:
 * bounded; everything that came from agents, errors or repositories is escaped or fenced, so that it can make no
 * heading, link, image or checkbox (U15).
 */
import { hasTrait, KINDS } from "../kinds.ts";
import type { FailureKind } from "../kinds.ts";
import { escapeMarkdown, fence } from "../foreign-text.ts";

export interface EscalationInput {
  readonly subtaskId: string;
  /** What went wrong, in a sentence or two. */
  readonly summary: string;
  readonly kind: FailureKind;
  readonly attempts: readonly { readonly approach: string; readonly result: string }[];
  /** The last error. */
  readonly error: string;
  readonly files: readonly string[];
  readonly dependsOn: readonly string[];
  /** Subtasks that cannot begin before this one is done, directly or not. */
  readonly blocks: readonly string[];
}

const MAX_LISTED = 50;

export function escalationReport(input: EscalationInput): string {
  const { attempts, files, dependsOn, blocks } = input;
  const numbered = attempts.map(
    ({ approach, result }, index) =>
      `${index + 1}. Attempt ${index + 1}: ${escapeMarkdown(approach)} - ${escapeMarkdown(result)}`,
  );
  return [
    `## Stuck Subtask: ${escapeMarkdown(input.subtaskId, 120)}`,
    `### Summary\n${escapeMarkdown(input.summary, 1000)}`,
    `### Attempts Made\n${listed(numbered, newest)}`,
    `### Error Details\n${fence(input.error)}`,
    `### Files Involved\n${listed(bullets(files), oldest)}`,
    `### Dependencies\n${listed([...named("Depends on", dependsOn), ...named("Blocks", blocks)], oldest)}`,
    `### Recommended Actions\n${listed(
      recommendedActions(input.kind).map((action) => `- [ ] ${action}`),
      oldest,
    )}`,
    "",
  ].join("\n\n");
}

const bullets = (texts: readonly string[]): readonly string[] =>
  texts.map((text) => `- ${escapeMarkdown(text)}`);

const named = (label: string, ids: readonly string[]): readonly string[] =>
  ids.map((id) => `- ${label} ${escapeMarkdown(id, 120)}`);

const newest = (lines: readonly string[]): readonly string[] => lines.slice(-MAX_LISTED);
const oldest = (lines: readonly string[]): readonly string[] => lines.slice(0, MAX_LISTED);

function listed(lines: readonly string[], keep: typeof newest): string {
  if (lines.length === 0) return "None";
  const kept = keep(lines);
  const leftOut = lines.length - kept.length;
  return leftOut === 0 ? kept.join("\n") : `${kept.join("\n")}\n\n(${leftOut} more left out)`;
}

const REVIEW_LOGS = "Review error logs";
const CHECK_DEPENDENCIES = "Check external dependencies";
const OTHER_APPROACH = "Consider alternative approach";

/** The most specific first. */
export function recommendedActions(kind: FailureKind): readonly string[] {
  return [
    KINDS[kind].action,
    REVIEW_LOGS,
    ...(hasTrait(kind, "dependencies") ? [CHECK_DEPENDENCIES] : []),
    ...(hasTrait(kind, "no-alternative") ? [] : [OTHER_APPROACH]),
  ];
}
