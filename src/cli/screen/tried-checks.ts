/**
 * A check that was tried on the base, for a person: whether it passes there, the command in full, and why it does not.
 * Invariants: no line is wider than the terminal; the command is folded, never cut.
 */
import type { TriedCheck } from "../../operations/planning/accept-plan.ts";
import { cleanLine, count, type Line, type Style } from "../../operations/text.ts";
import { folded, wrapped } from "./line.ts";

const STATES: { readonly [state in TriedCheck["state"]]: readonly [word: string, style: Style] } = {
  green: ["passes", "green"],
  red: ["fails", "yellow"],
  hangs: ["hangs", "red"],
  "cannot-run": ["can't run", "red"],
};

/** Below a check's own word. */
const UNDER = " ".repeat(13);

export function triedLines(tried: TriedCheck, columns: number): readonly Line[] {
  const [word, style] = STATES[tried.state];
  const [first = "", ...more] = folded(tried.run, Math.max(8, columns - UNDER.length));
  const detail = cleanLine(detailOf(tried), 300);
  return [
    [["  "], [word.padEnd(UNDER.length - 2), style], [first]],
    ...more.map((part): Line => [[UNDER + part]]),
    ...(detail === "" ? [] : wrapped(UNDER + detail, columns).map((text): Line => [[text, "dim"]])),
  ];
}

/** Why it does not pass, as far as it says. */
function detailOf({ state, headline = "", items = 0, why = "" }: TriedCheck): string {
  if (state !== "red") return why;
  return items > 1 ? `${count(items, "failure")}: ${headline}` : headline;
}
