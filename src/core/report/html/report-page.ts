/**
 * The report of a run as one HTML file that can be attached anywhere: no scripts, no external resources, readable in
 * light and dark mode and on paper. Invariants: bounded; foreign text cannot become markup (see markup.ts), and the
 * file's own content security policy blocks what markup could do.
 */
import { duration } from "../../amounts.ts";
import { questionWords } from "../question-words.ts";
import type { Explanation } from "../explanation-parts.ts";
import type { ReportedRun } from "../run-report.ts";
import type { TimeSpan } from "../time-spans.ts";
import { charts } from "./charts.ts";
import { diffBlock, type ShownDiff } from "./diff-block.ts";
import { html, type Markup } from "./markup.ts";
import { REPORT_STYLE } from "./style.ts";
import { subtaskSection } from "./subtask-section.ts";
import { timeline } from "./timeline.ts";

export interface ReportPage {
  readonly run: ReportedRun;
  /** The run's state as a word, and as a sentence. */
  readonly state: string;
  readonly sentence: string;
  readonly branch?: string;
  readonly checks: readonly {
    readonly check: string;
    readonly verdict: string;
    readonly words: string;
  }[];
  readonly spent: readonly string[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly madeAt: number;
  readonly spans: readonly TimeSpan[];
  readonly decisions: readonly Explanation[];
  /** The result compared with the base. */
  readonly diff?: ShownDiff;
  /** Diffs of failed attempts, by `subtask/attempt`. */
  readonly attemptDiffs: ReadonlyMap<string, ShownDiff>;
}

const SHOWN_MAX = 200;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function reportPage(page: ReportPage): string {
  const { run } = page;
  const subtasks = run.subtasks.slice(0, SHOWN_MAX);
  const leftOut = run.subtasks.length - subtasks.length;
  const bySubtask = Map.groupBy(page.decisions, ({ subtask = "" }) => subtask);
  const body = html`<header>
      <p class="eyebrow">Unstuck report</p>
      <h1>${run.goal === "" ? run.run : run.goal}</h1>
      <p><span class="pill ${tone(page.state)}">${page.state}</span> ${page.sentence}</p>
      ${facts(page)}
    </header>
    <main>
      ${section("Needs you", questions(run))}
      ${section("Timeline", timeline({ ...page, subtasks }))} ${section("Figures", charts(run))}
      ${section("Checks", checks(page))}
      <h2>Subtasks</h2>
      ${subtasks.map((subtask) =>
        subtaskSection(subtask, bySubtask.get(subtask.id) ?? [], page.attemptDiffs),
      )}
      ${leftOut === 0 ? "" : html`<p class="quiet">${leftOut} more subtasks are left out.</p>`}
      ${section("What changed", page.diff && diffBlock(page.diff))}
    </main>
    <footer>Run ${run.run} · written ${time(page.madeAt)}</footer>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.state}: ${run.goal === "" ? run.run : run.goal}</title>
        <style>
          ${REPORT_STYLE}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}

const section = (title: string, content: Markup | undefined): Markup =>
  content === undefined
    ? html``
    : html`<section>
        <h2>${title}</h2>
        ${content}
      </section>`;

/** Colour is used only for state, and never without the word next to it. */
const tone = (state: string): string =>
  state === "verified" ? "good" : /^(?:failed|needs you)$/.test(state) ? "bad" : "plain";

const time = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

function facts({ run, spent, branch, startedAt, endedAt }: ReportPage): Markup {
  const attempts = run.subtasks.reduce((sum, { past }) => sum + past.attempts.size, 0);
  const done = run.subtasks.filter(({ phase }) => DONE.has(phase)).length;
  const rows: readonly (readonly [string, string])[] = [
    ["Subtasks done", `${done} of ${run.subtasks.length}`],
    ["Attempts", String(attempts)],
    ["Time", duration(run.durationMs)],
    ["Spent", spent.join(", ") || "nothing"],
    ["Started", time(startedAt)],
    ["Last event", time(endedAt)],
    ...(branch === undefined ? [] : [["Branch", branch] as const]),
  ];
  return html`<dl>
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

const DONE: ReadonlySet<string> = new Set(["verified", "unverified", "answered"]);

function questions({ run, questions: open }: ReportedRun): Markup | undefined {
  if (open.length === 0) return undefined;
  return html`${open.slice(0, SHOWN_MAX).map((checkpoint) => {
    const { happened, cause, choices } = questionWords(checkpoint, run);
    return html`<article class="card ask">
      <p><strong>${cause}</strong> · ${checkpoint.id}</p>
      <p>${happened}</p>
      <ul>
        ${choices.map(({ label, does, command }) => html`<li>${label}: ${does}<br /><code>${command}</code></li>`)}
      </ul>
    </article>`;
  })}`;
}

function checks({ checks: all }: ReportPage): Markup | undefined {
  if (all.length === 0) return undefined;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Check</th>
        <th scope="col">Verdict</th>
        <th scope="col">In words</th>
      </tr>
    </thead>
    <tbody>
      ${all.slice(0, SHOWN_MAX).map(
        ({ check, verdict, words }) =>
          html`<tr>
            <td><code>${check}</code></td>
            <td class="word">${verdict}</td>
            <td>${words}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
