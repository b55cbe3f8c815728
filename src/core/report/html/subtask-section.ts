/**
 * One subtask in a report: its attempts as a row of chips, its decisions as a story, and the diff of each failed
 * attempt.
 */
import { duration } from "../../amounts.ts";
import { approachText } from "../../history/attempt-history.ts";
import { tookMs, type PastAttempt } from "../../history/run-history.ts";
import { RECOVERY_WORDS } from "../../recovery.ts";
import { noteText } from "../../run/note.ts";
import type { ReportedSubtask } from "../escalation-report.ts";
import type { Explanation } from "../explanation-parts.ts";
import { listText, noAnswerText } from "../phrases.ts";
import { diffBlock, type ShownDiff } from "./diff-block.ts";
import { html, type Markup } from "./markup.ts";
import { endText, toneOf } from "./timeline.ts";

const ATTEMPTS_MAX = 50;
const DECISIONS_MAX = 100;

export function subtaskSection(
  { id, phase, past, dependsOn, files }: ReportedSubtask,
  decisions: readonly Explanation[],
  diffs: ReadonlyMap<string, ShownDiff>,
): Markup {
  const attempts = [...past.attempts.values()].slice(-ATTEMPTS_MAX);
  const told = decisions.filter(({ said }) => said !== undefined).slice(-DECISIONS_MAX);
  const took = tookMs(past);
  const tone =
    phase === "verified" ? "good" : phase === "stuck" || phase === "asking" ? "bad" : "plain";
  const notes = [
    ...(past.notes ?? []).map(noteText),
    ...(past.unanswered === undefined ? [] : [noAnswerText(id, past.unanswered)]),
  ];
  return html`<article class="card">
    <div class="row">
      <h3>${id}</h3>
      <span class="pill ${tone}">${PHASE_WORDS[phase]}</span
      >${took === undefined ? "" : html`<span class="quiet">${duration(took)}</span>`}${dependsOn.length === 0 ? "" : html`<span class="quiet">after ${listText(dependsOn)}</span>`}
    </div>
    ${notes.map((note) => html`<p>${note}</p>`)}
    <ol class="ribbon">
      ${attempts.map(chip)}
    </ol>
    ${
      told.length === 0
        ? ""
        : html`<ul class="story">
            ${told.map(decision)}
          </ul>`
    }
    ${attempts.flatMap((attempt) => {
      const diff = diffs.get(`${id}/${attempt.attempt}`);
      const error = attempt.error ?? "";
      if (diff === undefined && (error === "" || attempt.succeeded)) return [];
      return html`<details>
        <summary>Attempt ${attempt.attempt}: ${approachText(attempt)}</summary>
        ${error === "" ? "" : html`<pre>${error}</pre>`}${diff === undefined ? "" : diffBlock(diff)}
      </details>`;
    })}
    ${files.length === 0 ? "" : html`<p class="quiet">Files: ${listText(files)}</p>`}
  </article> `;
}

const PHASE_WORDS: { readonly [phase in ReportedSubtask["phase"]]: string } = {
  verified: "verified",
  unverified: "unverified",
  answered: "answered",
  stuck: "given up",
  asking: "needs you",
  skipped: "skipped",
  running: "running",
  waiting: "waiting",
  pending: "not started",
  blocked: "blocked",
};

const TONES = { pass: "good", fail: "bad", open: "plain" } as const;

function chip(attempt: PastAttempt): Markup {
  const { recovery, entry, used } = attempt;
  const words = [
    `${attempt.attempt}. ${endText(attempt)}`,
    ...(recovery === undefined ? [] : [RECOVERY_WORDS[recovery]?.did ?? recovery]),
    ...(entry === undefined ? [] : [entry.model ?? entry.agent]),
    ...(used.usd === undefined ? [] : [`$${used.usd.toFixed(2)}`]),
  ];
  return html`<li class="${TONES[toneOf(attempt)]}">${words.join(" · ")}</li>`;
}

function decision({ said, evidence = [], others = [], belief = [] }: Explanation): Markup {
  const more = [
    ...belief.map(({ cause, share }) => `${cause}: ${Math.round(share * 100)} %`),
    ...others.map(({ option, why }) => `instead of: ${option} (${why})`),
  ];
  return html`<li>
    <p>${said}</p>
    ${evidence.length === 0 ? "" : html`<pre>${evidence.join("\n")}</pre>`}${
      more.length === 0
        ? ""
        : html`<details>
            <summary class="quiet">Why this, and what else there was</summary>
            <ul>
              ${more.map((one) => html`<li>${one}</li>`)}
            </ul>
          </details>`
    }
  </li>`;
}
