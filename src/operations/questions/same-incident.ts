/**
 * Open questions of other runs with the same incident (C9), such as an expired login: fixing it for one run fixes it
 * for all. What only one repository or machine can meet is not shared.
 */
import { FAILURE_KINDS, hasTrait } from "../../core/kinds.ts";
import type { Journal } from "../../journal/journal.ts";
import { openQuestions, type OpenQuestion } from "./inbox.ts";

const MOST = 100;

export async function sameIncident(
  journal: Journal,
  { row, checkpoint: { cause = "" } }: OpenQuestion,
): Promise<readonly OpenQuestion[]> {
  const kind = FAILURE_KINDS.find((one) => cause.startsWith(`${one} `));
  if (kind === undefined || !hasTrait(kind, "service")) return [];
  const others = (await journal.runs()).filter(({ id }) => id !== row.id);
  return (await openQuestions(journal, others))
    .filter(({ checkpoint, given }) => checkpoint.cause === cause && given === undefined)
    .slice(0, MOST);
}
