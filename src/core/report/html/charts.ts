/** Bar charts of a run: time and cost by subtask, and what failed. Unreported values have no bar. */
import { duration } from "../../amounts.ts";
import { cleanLine } from "../../foreign-text.ts";
import { tookMs, type SubtaskPast } from "../../history/run-history.ts";
import { KIND_WORDS } from "../../kind-words.ts";
import type { ReportedRun } from "../run-report.ts";
import { html, type Markup } from "./markup.ts";

interface Bar {
  readonly name: string;
  readonly amount: number;
  readonly words: string;
}

const [LEFT, WIDTH, ROW] = [170, 960, 24];
/** Space for the label after the longest bar. */
const RIGHT = 110;
const BARS_MAX = 12;

export function charts({ subtasks }: ReportedRun): Markup | undefined {
  const pasts = subtasks.map(({ past }) => past);
  const spent = (past: SubtaskPast): number =>
    [...past.attempts.values()].reduce((sum, { used }) => sum + (used.usd ?? 0), 0);
  const kinds = pasts.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === "failure" ? [event.failure.kind] : [])),
  );
  const shown = [
    chart(
      "Agent time by subtask",
      pasts.map((past) => bar(past.id, tookMs(past) ?? 0, duration)),
    ),
    chart(
      "Money by subtask",
      pasts.map((past) => bar(past.id, spent(past), (usd) => `$${usd.toFixed(2)}`)),
    ),
    chart(
      "What failed",
      [...Map.groupBy(kinds, (kind) => kind)].map(([kind, { length }]) =>
        bar(KIND_WORDS[kind]?.name ?? kind, length, (times) => `${times}×`),
      ),
    ),
  ].flatMap((one) => one ?? []);
  return shown.length === 0 ? undefined : html`${shown}`;
}

const bar = (name: string, amount: number, words: (amount: number) => string): Bar => ({
  ...{ name, amount, words: words(amount) },
});

function chart(title: string, bars: readonly Bar[]): Markup | undefined {
  const known = bars.filter(({ amount }) => amount > 0).toSorted((a, b) => b.amount - a.amount);
  const shown = known.slice(0, BARS_MAX);
  const most = shown[0]?.amount;
  if (most === undefined) return undefined;
  const leftOut = known.length - shown.length;
  const height = ROW * shown.length;
  const wide = (amount: number): number => ((WIDTH - LEFT - RIGHT) * amount) / most;
  return html`<figure class="scroll">
    <figcaption>
      ${title}${leftOut === 0 ? "" : `, the ${BARS_MAX} largest of ${known.length}`}
    </figcaption>
    <svg
      width="${WIDTH}"
      height="${height}"
      viewBox="0 0 ${WIDTH} ${height}"
      role="img"
      aria-label="${title}"
    >
      ${shown.map(
        ({ name, amount, words }, index) =>
          html`<text x="0" y="${ROW * index + 16}">${cleanLine(name, 24)}</text
            ><rect
              class="bar"
              x="${LEFT}"
              y="${ROW * index + 4}"
              width="${wide(amount).toFixed(1)}"
              height="16"
              rx="2"
            /><text x="${(LEFT + wide(amount) + 8).toFixed(1)}" y="${ROW * index + 16}"
              >${words}</text
            >`,
      )}
    </svg>
  </figure>`;
}
