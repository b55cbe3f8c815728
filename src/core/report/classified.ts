/**
 * How a failure was classified and why: the reasons with their positions in words, and the lines of output with the
 * deciding ones marked. Invariants: bounded and clean, whatever was printed; a deciding line is always shown.
 */
import type { Origin } from "../evidence.ts";
import { cleanLine } from "../foreign-text.ts";
import { KIND_WORDS } from "../kind-words.ts";
import type { DecisionOf } from "../run/decision.ts";
import type { InputOf } from "../run/input.ts";

export interface ClassifiedFailure {
  readonly attempt: number;
  /** "rate limited" */
  readonly name: string;
  /** "hit a rate limit" */
  readonly happened: string;
  /** Where it failed, in words. */
  readonly where: string;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly counted: boolean;
  /** Most decisive first. */
  readonly reasons: readonly ClassifyingReason[];
  readonly lines: readonly EvidenceLine[];
}

export interface ClassifyingReason {
  /** "standard error, line 3" */
  readonly place?: string;
  readonly text: string;
}

export interface EvidenceLine {
  readonly text: string;
  readonly decides: boolean;
  /** Lines before it were left out. */
  readonly afterGap?: true;
}

const WHERE: { readonly [origin in Origin]: string } = {
  provider: "the model's service",
  agent: "the agent",
  tool: "something the agent ran",
  check: "a check",
  workspace: "git or the disk",
};

export function classifiedFailure(
  event: DecisionOf<"failure-classified">,
  seen: Printed,
): ClassifiedFailure {
  const { attempt, failure, counted } = event;
  const reasons = failure.because.slice(0, REASONS).map(reasonOf);
  return {
    ...{ attempt, ...KIND_WORDS[failure.kind], where: WHERE[failure.origin] },
    ...{ confidence: failure.confidence, counted, reasons },
    lines: evidenceLines(printed(event, seen), reasons),
  };
}

const REASONS = 5;
const FIELD_WORDS = { message: "its message", stderr: "standard error", stdout: "its output" };
const PLACED = /^(message|stderr|stdout) (line \d{1,9}(?: from the end)?): (.*)$/s;

function reasonOf(because: string): ClassifyingReason {
  const [, field, line = "", text = ""] = PLACED.exec(because) ?? [];
  if (field === undefined) return { text: cleanLine(because, LINE_CHARS) };
  const words = FIELD_WORDS[field as keyof typeof FIELD_WORDS];
  return { place: `${words}, ${line}`, text: cleanLine(text, LINE_CHARS) };
}

const LINE_CHARS = 300;
const TEXT_CHARS = 20_000;

interface Printed {
  readonly ended?: InputOf<"attempt-ended">;
  readonly checks?: InputOf<"checks-ended">;
}

/** Everything the attempt printed, as far as it is kept; for a check its excerpt, on which the judgement was based. */
function printed(
  { attempt, failure, error }: DecisionOf<"failure-classified">,
  { ended, checks }: Printed,
): string {
  if (failure.origin === "check") {
    const result = checks?.attempt === attempt ? checks.result : undefined;
    const excerpt = result?.kind === "failed" ? result.evidence.excerpt : undefined;
    return excerpt?.text ?? error;
  }
  if (ended?.attempt !== attempt) return error;
  const { message, stderr, stdout } = ended.evidence;
  const text = [message, stderr, stdout].filter(Boolean).join("\n");
  return text.trim() === "" ? error : text.slice(-TEXT_CHARS);
}

const AROUND = 3;
const SHOWN_MAX = 60;

function evidenceLines(
  text: string,
  reasons: readonly ClassifyingReason[],
): readonly EvidenceLine[] {
  const told = reasons.flatMap((reason) => reason.text.split(" | ").map((part) => part.trim()));
  const all = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.replaceAll("\t", "  "));
  const found = new Set<string>();
  const lines = all.map((line) => {
    const own = cleanLine(line, LINE_CHARS);
    const part = told.find((one) => isSame(one, own));
    if (part !== undefined) found.add(part);
    const indent = " ".repeat(Math.min(8, line.length - line.trimStart().length));
    return { text: indent + own, decides: part !== undefined };
  });
  const deciding = lines.flatMap(({ decides }, index) => (decides ? [index] : []));
  const isNear = (index: number): boolean =>
    index >= lines.length - AROUND || deciding.some((at) => Math.abs(at - index) <= AROUND);
  const lost = reasons.filter(
    ({ place, text: words }) => place !== undefined && !found.has(words.trim()),
  );
  const shown: EvidenceLine[] = lost.map((reason) => ({ text: reason.text, decides: true }));
  let last = lost.length > 0 ? -2 : -1;
  for (const [index, line] of lines.entries()) {
    if (lines.length > SHOWN_MAX / 2 && !isNear(index)) continue;
    if (shown.length === SHOWN_MAX) break;
    shown.push({ ...line, ...(index > last + 1 ? { afterGap: true } : {}) });
    last = index;
  }
  return shown;
}

const CUT = /…$/;

/** The text kept as a reason may be a shortened form of a long line. */
const isSame = (reason: string, line: string): boolean =>
  line === reason || (CUT.test(reason) && line.startsWith(reason.replace(CUT, "")));
