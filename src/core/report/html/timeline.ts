/**
 * All attempts of a run on one time axis, with waits and questions. Invariants: every bar is visible and lies within
 * the axis; its title says the same as its colour.
 */
import { duration } from "../../amounts.ts";
import { cleanLine } from "../../foreign-text.ts";
import type { PastAttempt } from "../../history/run-history.ts";
import { KIND_WORDS } from "../../kind-words.ts";
import type { ReportedSubtask } from "../escalation-report.ts";
import type { TimeSpan } from "../time-spans.ts";
import { html, type Markup } from "./markup.ts";

interface Times {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly subtasks: readonly ReportedSubtask[];
  readonly spans: readonly TimeSpan[];
}

const [LEFT, WIDTH, ROW, TOP] = [170, 960, 26, 28];
const LEAST = 3;
const TICKS = 4;
const SPANS_MAX = 1000;

export function timeline({ startedAt, endedAt, subtasks, spans }: Times): Markup | undefined {
  if (subtasks.length === 0) return undefined;
  const lasted = Math.max(1, endedAt - startedAt);
  const across = WIDTH - LEFT;
  const x = (at: number): number =>
    LEFT + (across * Math.min(lasted, Math.max(0, at - startedAt))) / lasted;
  const place = (from: number, to = endedAt) => {
    const left = Math.min(x(from), WIDTH - LEAST);
    return { left: left.toFixed(1), wide: Math.max(LEAST, x(to) - left).toFixed(1) };
  };
  const ofRun = spans.some(({ subtask }) => subtask === undefined) ? 1 : 0;
  const rowOf = new Map(subtasks.map(({ id }, index) => [id, index + ofRun]));
  const height = TOP + ROW * (subtasks.length + ofRun) + 4;
  const ticks = Array.from({ length: TICKS + 1 }, (_, tick) => tick / TICKS);
  return html`<figure class="scroll">
    <svg
      width="${WIDTH}"
      height="${height}"
      viewBox="0 0 ${WIDTH} ${height}"
      role="img"
      aria-label="Timeline of ${subtasks.length} subtasks over ${duration(lasted)}"
    >
      <defs>
        <pattern
          id="wait"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <line class="hatch" y2="6" />
        </pattern>
      </defs>
      ${ticks.map((share) => {
        const at = (LEFT + across * share).toFixed(1);
        const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle";
        return html`<line class="axis" x1="${at}" x2="${at}" y1="${TOP - 6}" y2="${height}" /><text
            class="quiet"
            x="${at}"
            y="14"
            text-anchor="${anchor}"
            >${duration(lasted * share)}</text
          >`;
      })}
      ${[...(ofRun === 1 ? ["(the run)"] : []), ...subtasks.map(({ id }) => id)].map(
        (name, row) => html`<text x="0" y="${TOP + ROW * row + 15}">${cleanLine(name, 24)}</text>`,
      )}
      ${spans.slice(0, SPANS_MAX).map(({ kind, subtask, from, to, words }) => {
        const row = subtask === undefined ? 0 : rowOf.get(subtask);
        if (row === undefined) return html``;
        const { left, wide } = place(from, to);
        const said = kind === "wait" ? "waits for" : "asks you";
        return html`<rect
          class="${kind}"
          x="${left}"
          width="${wide}"
          y="${TOP + ROW * row + 4}"
          height="14"
          ><title>${said}: ${cleanLine(words, 200)}</title></rect
        >`;
      })}
      ${subtasks.flatMap(({ past }, index) =>
        [...past.attempts.values()].slice(-SPANS_MAX).flatMap((attempt) => {
          if (attempt.startedAt === undefined) return [];
          const { left, wide } = place(attempt.startedAt, attempt.endedAt);
          return html`<rect
            class="${toneOf(attempt)}"
            x="${left}"
            width="${wide}"
            y="${TOP + ROW * (index + ofRun) + 2}"
            height="18"
            rx="2"
            ><title>attempt ${attempt.attempt}: ${endText(attempt)}</title></rect
          >`;
        }),
      )}
    </svg>
    <figcaption>
      Solid bars are attempts: green passed, orange failed, grey under way or not judged. Hatched:
      waiting. Outlined: a question to you.
    </figcaption>
  </figure>`;
}

export const toneOf = ({ succeeded, failure }: PastAttempt): "pass" | "fail" | "open" =>
  succeeded ? "pass" : failure === undefined ? "open" : "fail";

export function endText({ succeeded, failure, endedAt }: PastAttempt): string {
  if (succeeded) return "passed";
  if (failure !== undefined) return KIND_WORDS[failure.kind]?.name ?? cleanLine(failure.kind, 60);
  return endedAt === undefined ? "under way" : "not judged";
}
