/**
 * How far a long piece of work is, on one line that is drawn again. Where lines cannot be drawn again, as for a screen
 * reader, each quarter is a line of its own; where nobody looks, nothing is written.
 */
import { hasScreen } from "../screen/run-screen.ts";
import { cutToWidth } from "../screen/line.ts";

export interface ProgressBar {
  /** `share` of 1; `doing`: what it is at. */
  show(share: number, doing: string): void;
  /** Takes the line away. */
  end(): void;
}

const BAR_MAX = 30;
const FRAME_MS = 100;

export function progressBar(quiet: boolean): ProgressBar {
  const out = process.stderr;
  if (quiet || !out.isTTY || !process.stdout.isTTY)
    return { show: () => undefined, end: () => undefined };
  return hasScreen() ? drawnBar(out) : toldQuarters(out);
}

function drawnBar(out: NodeJS.WriteStream): ProgressBar {
  const began = Date.now();
  let drawnAt = 0;
  return {
    show(share, doing) {
      const now = Date.now();
      if (now - drawnAt < FRAME_MS) return;
      drawnAt = now;
      const columns = out.columns || 80;
      out.write(`\r\x1b[K${barLine(share, doing, now - began, columns - 1)}`);
    },
    end: () => void out.write("\r\x1b[K"),
  };
}

export function barLine(share: number, doing: string, ms: number, columns: number): string {
  const width = Math.max(5, Math.min(BAR_MAX, columns - 34));
  const full = Math.round(share * width);
  const bar = `[${"#".repeat(full)}${"-".repeat(width - full)}]`;
  const left = share < 0.02 ? "" : `, ${leftText((ms / share) * (1 - share))}`;
  return cutToWidth(`${bar} ${Math.floor(share * 100)} %${left}  ${doing}`, columns);
}

function leftText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`;
}

function toldQuarters(out: NodeJS.WriteStream): ProgressBar {
  let told = 0;
  return {
    show(share) {
      const quarter = Math.floor(share * 4);
      if (quarter <= told || quarter >= 4) return;
      told = quarter;
      out.write(`${quarter * 25} % done\n`);
    },
    end: () => undefined,
  };
}
