/**
 * `unstuck explain`: what happened to each subtask and why, in plain sentences, with the last evidence, the believed
 * causes and the alternatives; `--verbose` lists every decision with everything that was observed and considered.
 */
import type { Command } from "commander";
import type { OutputOf } from "../../operations/operation.ts";
import { explainRun } from "../../operations/runs/history.ts";
import { cleanLine, type Line } from "../../operations/text.ts";
import { commandOnRun, perform, styled, textColumns, write, writeJson, type Flags } from "../io.ts";
import { UsageError } from "../read-input.ts";
import { cutToWidth, fitted, painted, wrapped, padToWidth } from "../screen/line.ts";
import { offerLog } from "../screen/log-key.ts";

type Decision = OutputOf<typeof explainRun>["decisions"][number];
type ExplainFlags = Flags<{ subtask?: string; event?: string; verbose?: boolean }>;

export function explain(): Command {
  return commandOnRun("explain")
    .argument("[subtask]", "only this subtask")
    .description("Says what happened to each subtask, what was done about it, and why.")
    .option("--subtask <id>", "the same as the argument")
    .option("--event <n>", "only this decision, as `unstuck explain --verbose` numbers them")
    .option("--verbose", "every decision, with all that was seen and considered")
    .option("--json", "as JSON lines")
    .action(async (run: string | undefined, named: string | undefined, flags: ExplainFlags) => {
      const { event, json, verbose, subtask = named } = flags;
      const input = { run, subtask, event: event === undefined ? undefined : Number(event) };
      const { run: id, begun, decisions } = await perform(explainRun, input);
      if (json === true) return decisions.forEach(writeJson);
      if (decisions.length === 0)
        throw new UsageError(
          begun
            ? `run ${id} has no such decision; unstuck explain ${id} --verbose lists them`
            : `run ${id} has decided nothing yet: it is being prepared`,
        );
      if (verbose === true || event !== undefined)
        for (const decision of decisions) write(`${decisionText(decision)}\n`);
      else {
        tellStories(id, decisions);
        await offerLog(id);
      }
    });
}

/** A subtask's story is told to its end; of a long one, only the last decisions. */
const TOLD_MAX = 3;
const EVIDENCE_LINES = 8;

function tellStories(run: string, decisions: readonly Decision[]): void {
  const stories = Map.groupBy(decisions, ({ subtask = "" }) => subtask);
  for (const [subtask, all] of stories) {
    const said = all.flatMap(({ said: words }) => words ?? []);
    if (subtask === "" || said.length === 0) continue;
    const left = said.length - TOLD_MAX;
    const told = [...(left > 0 ? [`(${left} earlier left out.)`] : []), ...said.slice(-TOLD_MAX)];
    const last = all.findLast(({ evidence }) => evidence !== undefined);
    for (const line of [
      [[cleanLine(subtask, 60), "bold"]] as Line,
      ...indented(told.join(" "), 2),
      ...(last?.evidence ?? [])
        .slice(0, EVIDENCE_LINES)
        .map((text): Line => [
          ["  │ ", "dim"],
          [cutToWidth(cleanLine(text, 300), textColumns() - 4)],
        ]),
      ...causeLines(last),
      ...otherLines(last),
      [],
    ])
      write(painted(line, styled));
  }
  const end = decisions.findLast(({ subtask }) => subtask === undefined);
  if (end?.event.kind === "run-ended")
    for (const line of wrapped(`The run ended ${end.event.outcome}: ${end.why}.`, textColumns()))
      write(line);
  for (const words of [
    `What the agent did: unstuck logs ${run}`,
    `All of it: unstuck explain ${run} --verbose`,
  ])
    for (const line of wrapped(words, textColumns())) write(line);
}

function causeLines({ belief = [] }: Partial<Decision> = {}): Line[] {
  return belief.length === 0
    ? []
    : [
        [["  What probably went wrong:", "dim"]],
        ...beliefLines(belief, textColumns() - 4).map((line): Line => [["    "], ...line]),
      ];
}

function otherLines(last: Decision | undefined): Line[] {
  const { others = [] } = last ?? {};
  return others.length === 0
    ? []
    : [
        [["  What else it could do:", "dim"]],
        ...others
          .slice(0, OTHERS_MAX)
          .flatMap(({ option, why }) =>
            indented(`${option}: ${why}`, 6).map((line, index): Line =>
              index === 0 ? [["    - "], ...withoutIndent(line)] : line,
            ),
          ),
      ];
}

/** The best of the options that were not chosen; `--verbose` lists them all. */
const OTHERS_MAX = 3;

const withoutIndent = ([[text] = [""], ...rest]: Line): Line => [[text.trimStart()], ...rest];

/** Keeps a number and its percent sign together. */
const indented = (text: string, by: number): Line[] =>
  wrapped(text.replaceAll(" %", "\u00a0%"), textColumns() - by).map((line) => [
    [" ".repeat(by) + line.replaceAll("\u00a0%", " %")],
  ]);

const LABEL_WIDTH = 12;

function decisionText(told: Decision): string {
  const { seq, subtask, decision, seen, considered, why, belief = [] } = told;
  const name = subtask === undefined ? "run" : cleanLine(subtask, 60);
  const title: Line = [[`[${name}]`, "bold"], [` ${seq}: `], [decision, "cyan"]];
  const choices = considered.map(
    ({ rung, recovery, verdict, success, cost }) =>
      `${rung} (${recovery}): ${verdict}${success === undefined ? "" : `, ${Math.round(success * 100)} % at the price of ${cost}`}`,
  );
  const bars = beliefLines(belief, textColumns() - LABEL_WIDTH - 2);
  return [
    painted(fitted(title, textColumns()), styled),
    ...labelled("seen", seen),
    ...bars.map((line, index) => `${labelOf("believed", index)}${painted(line, styled)}`),
    ...labelled("considered", choices),
    ...labelled("why", [why]),
  ].join("\n");
}

const labelled = (label: string, texts: readonly string[]): readonly string[] =>
  texts
    .flatMap((text) => wrapped(text, Math.max(LABEL_WIDTH, textColumns() - LABEL_WIDTH - 2)))
    .map((line, index) => labelOf(label, index) + line);

/** Only the first of several lines has the label. */
const labelOf = (label: string, index: number): string =>
  `  ${(index === 0 ? label : "").padEnd(LABEL_WIDTH)}`;

interface BelievedCause {
  readonly cause: string;
  readonly share: number;
}

const CAUSES_MAX = 4;
const SHARE_MIN = 0.05;
const NAME_WIDTH = 23;
const BAR_MAX = 20;
const BAR_MIN = 4;

const beliefLines = (belief: readonly BelievedCause[], columns: number): readonly Line[] =>
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
