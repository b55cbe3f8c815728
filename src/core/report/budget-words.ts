/**
 * What a run says of its budgets, beside how far they are used: which cannot hold its agents, and what keeps
 * places free. Invariants: one line each, the same on every face; names are tamed.
 */
import { amountWords, duration, limitWords, MEASURE_NAMES } from "../amounts.ts";
import type { Measure, Unheld } from "../budget.ts";
import { tameLine } from "../foreign-text.ts";
import type { DecisionOf } from "../run/decision.ts";

const USE: { readonly [measure in Measure]: string } = {
  usd: "its cost",
  tokens: "its tokens",
  timeMs: "its time",
  attempts: "its attempts",
};
const NAMED = 5;

/** One line for people, wherever it is shown. */
export function unheldWords({ measure, agents, limits, holding, otherwise }: Unheld): string {
  const names = agents.slice(0, NAMED).map((agent) => tameLine(agent, 40));
  const more = agents.length > NAMED ? ` and ${agents.length - NAMED} more` : "";
  const who = agents.length === 1 ? "agent" : "agents";
  const told = agents.length === 1 ? "it is not known to tell" : "they are not known to tell";
  const use = USE[measure];
  const what = agents.length === 1 ? use : use.replace("its", "their");
  const holds = otherwise === undefined ? amountWords(holding) : otherwiseWords(otherwise);
  return (
    `the ${MEASURE_NAMES[measure]} budget of ${whose(measure, limits)} cannot hold ${who} ${names.join(", ")}${more}: ` +
    `${told} ${what}; what holds ${agents.length === 1 ? "it" : "them"}: ${holds}`
  );
}

function whose(measure: Measure, { run, recovery, subtasks }: Unheld["limits"]): string {
  return [
    ...(run === undefined ? [] : [`the run (${limitWords(measure, run)})`]),
    ...(recovery === undefined ? [] : [`recovery (${limitWords(measure, recovery)})`]),
    ...(subtasks === undefined ? [] : [subtasks === 1 ? "a subtask" : `${subtasks} subtasks`]),
  ].join(" and of ");
}

const otherwiseWords = ({
  attempts,
  iterations,
  attemptMs,
}: NonNullable<Unheld["otherwise"]>): string =>
  [
    `at most ${attempts} attempts of a subtask`,
    ...(iterations < attempts ? [`${iterations} of them for recovery`] : []),
    ...(attemptMs === undefined ? [] : [`${duration(attemptMs)} each`]),
  ].join(", ");

/** What is left may grow again: those under way give back what they do not use. */
export function tightWords({ measure, limit, running }: DecisionOf<"budget-tight">): string {
  const others = running === 1 ? "the one under way" : `the ${running} under way`;
  return `what is left of ${limitWords(measure, limit)} is too little for another attempt beside ${others}`;
}
