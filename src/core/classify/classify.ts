/**
 * Evidence in, failure out. Structured fields first, then text by where it stands, never a bare keyword.
 * Invariants: never throws, whatever the evidence; bounded work (only windows of the text are read); the same
 * evidence, the same failure.
 */
import type { Evidence } from "../evidence.ts";
import type { Failure } from "../failure.ts";
import type { FailureKind } from "../kinds.ts";
import { cleanLine } from "../foreign-text.ts";
import { makeFailure } from "../failure.ts";
import { guessFromCommand } from "./guess-from-command.ts";
import { matchesIn, RIVAL_MARGIN, strongest } from "./text-matches.ts";
import type { Match } from "./text-matches.ts";
import { originOf, sourceOf, structuredMatches } from "./structured-fields.ts";
import { resetOf } from "./reset-time.ts";
import type { RuleBook } from "./rule-book.ts";
import { secondLook, windowOf } from "./text-window.ts";
import type { TextWindow } from "./text-window.ts";

/** Below this the first look has found nothing to rely on, and a second, dearer one is worth it. */
const WEAK_SCORE = 56;
/** stderr and message before stdout, when all else is equal. */
const FIELDS = [
  { name: "message", bonus: 6 },
  { name: "stderr", bonus: 6 },
  { name: "stdout", bonus: 0 },
] as const;
const MAX_REASONS = 3;

export function classify(evidence: Evidence, rules: RuleBook): Failure {
  const matches = [...structuredMatches(evidence)];
  readTexts(evidence, rules, matches);
  const best = strongest(matches) ?? guessFromCommand(evidence);
  const kind = best?.kind ?? "unknown";
  return makeFailure({
    kind,
    origin: originOf(evidence, kind),
    confidence: confidenceOf(kind, best, matches),
    because: reasons(kind, best, matches),
    signedBy: best?.text || lastWords(evidence),
    ...resetOf(evidence, kind, best?.text ?? ""),
  });
}

/** Adds what the texts say. A text that says little gets a second look. */
function readTexts(evidence: Evidence, rules: RuleBook, matches: Match[]): void {
  const source = sourceOf(evidence);
  for (const { name, bonus } of FIELDS) {
    const text = textOf(evidence[name]);
    if (text === "") continue;
    const read = (window: TextWindow): void => {
      const best = strongest(matches)?.score ?? 0;
      matches.push(...matchesIn({ window, field: name, source, bonus }, rules, best));
    };
    const window = windowOf(text);
    read(window);
    if ((strongest(matches)?.score ?? 0) < WEAK_SCORE) secondLook(text, window).forEach(read);
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function confidenceOf(kind: FailureKind, best: Match | undefined, all: readonly Match[]): number {
  if (best === undefined) return 0.5;
  let rival = 0;
  let backing = 0;
  for (const match of all) {
    if (match.kind !== kind) rival = Math.max(rival, match.score);
    else if (match.place !== best.place) backing = Math.max(backing, match.score);
  }
  let confidence = best.confidence;
  if (rival > 0 && rival > best.score - RIVAL_MARGIN) confidence -= 0.12;
  else if (backing > rival) confidence += 0.02;
  return Math.round(Math.min(0.99, Math.max(0.3, confidence)) * 100) / 100;
}

function reasons(
  kind: FailureKind,
  best: Match | undefined,
  all: readonly Match[],
): readonly string[] {
  if (best === undefined) return ["nothing in it says what failed"];
  const agreeing = all.filter((match) => match.kind === kind);
  agreeing.sort((one, other) => other.score - one.score);
  const said = new Set<string>();
  for (const match of [best, ...agreeing]) {
    if (said.size === MAX_REASONS) break;
    said.add(match.text === "" ? match.place : `${match.place}: ${cleanLine(match.text)}`);
  }
  return [...said];
}

/** For the signature of a failure that no rule knows: its last lines. */
function lastWords(evidence: Evidence): string {
  for (const { name } of FIELDS) {
    const end = textOf(evidence[name]).slice(-2_000);
    if (end.trim() !== "") return windowOf(end).text.trim().slice(-800);
  }
  return `${textOf(evidence.command)} ${evidence.exitCode ?? ""} ${textOf(evidence.signal)}`;
}
