/**
 * What was believed of a cause, as bars: "misread the task  ████████  62 %". Invariants: no line is wider than asked;
 * where a bar would be read aloud, or has no room, the numbers stand alone.
 */
import type { Line } from "../../operations/text.ts";
import { cutToWidth, padToWidth } from "./line.ts";

interface BelievedCause {
  readonly cause: string;
  readonly share: number;
}

const CAUSES_MAX = 4;
const SHARE_MIN = 0.05;
const NAME_WIDTH = 23;
const BAR_MAX = 20;
const BAR_MIN = 4;

export const beliefLines = (belief: readonly BelievedCause[], columns: number): readonly Line[] =>
  belief
    .filter(({ share }, index) => index === 0 || share >= SHARE_MIN)
    .slice(0, CAUSES_MAX)
    .map(({ cause, share }) => {
      const percent = `${Math.round(share * 100)} %`;
      const room = Math.min(BAR_MAX, columns - NAME_WIDTH - percent.length - 2);
      if (!hasBars() || room < BAR_MIN) return [[cutToWidth(`${cause}: ${percent}`, columns)]];
      const filled = Math.max(1, Math.round(share * room));
      return [
        [`${padToWidth(cutToWidth(cause, NAME_WIDTH), NAME_WIDTH)} `],
        ["█".repeat(filled), "cyan"],
        ["░".repeat(room - filled), "dim"],
        [` ${percent}`],
      ];
    });

const hasBars = (): boolean =>
  process.env["TERM"] !== "dumb" && (process.env["UNSTUCK_SCREEN_READER"] ?? "") === "";
