/**
 * What was found in a repository, where it comes from, and the results of its checks on the base: all at once after
 * `init`, one check at a time while a plan is tried. Invariants: no line is wider than the terminal; commands are
 * folded, never cut.
 */
import { cleanLine, count, type Line, type Style } from "../../operations/text.ts";
import type { OutputOf } from "../../operations/operation.ts";
import type { writePlan } from "../../operations/setup/init.ts";
import type { TryHappening } from "../../operations/setup/try-on-base.ts";
import { styled, textColumns } from "../io.ts";
import { wrapped, folded } from "./line.ts";
import type { TriedCheck } from "../../operations/planning/accept-plan.ts";

type Plan = OutputOf<typeof writePlan>;
type Tried = NonNullable<Plan["tried"]>[number];
/** A label, what was found, and details. */
type Row = readonly [label: string, words: string, more?: string];

const LABEL_WIDTH = 10;
const LINE_MOST = 400;

export function foundText({ file, agents, setup, checks, leftOut, tried = [] }: Plan): string {
  const rows: readonly Row[] = [
    ...agents.map(({ title, version = "" }): Row => ["agent", `${title} ${version}`]),
    ...(setup?.commands ?? []).map((command): Row => ["setup", command, `from ${setup?.from}`]),
    ...checks.map(({ run, from, note }): Row => {
      const state = tried.find((one) => one.run === run);
      const more = [state && stateText(state), `from ${from}`, note];
      return ["check", run, more.filter((part) => part !== undefined).join("; ")];
    }),
    ...leftOut.map(({ what, from, why }): Row => ["left out", what, `from ${from}; ${why}`]),
  ];
  const missing = [
    ...(setup?.missing === undefined
      ? []
      : [`No setup: ${setup.from} needs ${setup.missing}, which is not installed here.`]),
    ...(agents.length === 0 ? ["No agent found. To see what to install: unstuck doctor"] : []),
    ...(checks.length === 0
      ? [`No checks found. Nothing is verified without one: add a command under checks in ${file}`]
      : []),
  ];
  return [
    `Wrote ${file}`,
    ...rows.flatMap(rowLines),
    ...[...missing, `Next: write your goal into ${file}, then run: unstuck run`].flatMap(
      (words) => ["", ...inRoom(words, 0)],
    ),
  ].join("\n");
}

function rowLines([label, words, more]: Row): readonly string[] {
  const [first = "", ...rest] = inRoom(words, LABEL_WIDTH);
  const about = more === undefined ? [] : inRoom(more, LABEL_WIDTH);
  const indented = (line: string): string => " ".repeat(LABEL_WIDTH) + line;
  return [
    styled("dim", label.padEnd(LABEL_WIDTH)) + first,
    ...rest.map(indented),
    ...about.map((line) => styled("dim", indented(line))),
  ];
}

const inRoom = (words: string, indent: number): readonly string[] =>
  wrapped(cleanLine(words, LINE_MOST), Math.max(20, textColumns() - indent));

/** The result of a check on the base. */
function stateText({ state, items, headline = "", why = "" }: Tried): string {
  switch (state) {
    case "green":
      return "passes today";
    case "red": {
      const many = items === undefined ? "" : ` (${count(items, "failure")})`;
      return `fails today${many}${headline === "" ? "" : `: ${headline}`}`;
    }
    case "hangs":
      return `left out, it ${why}`;
    case "cannot-run":
      return `left out, it cannot run: ${why}`;
  }
}

/** The text for a step of the trial; undefined if the result says everything. */
export function tryingText(happening: TryHappening): string | undefined {
  switch (happening.kind) {
    case "set-up":
      return inRoom(`Setting up: ${happening.commands.join("; ")}`, 0).join("\n");
    case "check-started":
      return inRoom(`Trying on your last commit: ${happening.run}`, 0).join("\n");
    case "about-to-run":
    case "check-ended":
      return undefined;
  }
}

const STATES: { readonly [state in TriedCheck["state"]]: readonly [word: string, style: Style] } = {
  green: ["passes", "green"],
  red: ["fails", "yellow"],
  hangs: ["hangs", "red"],
  "cannot-run": ["can't run", "red"],
};

/** Indent below a check's state. */
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

/** Why it does not pass, if known. */
function detailOf({ state, headline = "", items = 0, why = "" }: TriedCheck): string {
  if (state !== "red") return why;
  return items > 1 ? `${count(items, "failure")}: ${headline}` : headline;
}
