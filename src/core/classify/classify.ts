/**
 * Classifies evidence as a failure. Structured fields come first, then text by its position and context, never a bare
 * keyword. If nothing decides, the purpose of the command (its program and verb) gives a guess with low confidence,
 * never a fatal kind. Invariants: never throws, whatever the evidence; bounded work (only windows of the text are
 * read); deterministic.
 */
import type { Evidence } from "../evidence.ts";
import type { FailureKind } from "../kinds.ts";
import { cleanLine } from "../foreign-text.ts";
import { makeFailure, type Failure } from "../failure.ts";
import { matchesIn, RIVAL_MARGIN, strongest, type Match } from "./text-matches.ts";
import { originOf, sourceOf, structuredMatches } from "./structured-evidence.ts";
import { resetOf, type Reset } from "./reset-time.ts";
import type { RuleBook } from "./rule-book.ts";
import { secondPassWindows, windowOf, type TextWindow } from "./text-window.ts";

/** Below this score, the first pass has found nothing reliable and a second, more expensive one is worthwhile. */
const WEAK_SCORE = 56;
/** All else being equal, stderr and message take precedence over stdout. */
const FIELDS = [
  { name: "message", bonus: 6 },
  { name: "stderr", bonus: 6 },
  { name: "stdout", bonus: 0 },
] as const;
const MAX_REASONS = 3;

export function classify(evidence: Evidence, rules: RuleBook): Failure {
  const matches = [...structuredMatches(evidence)];
  readTexts(evidence, rules, matches);
  const found = strongest(matches) ?? guessFromCommand(evidence);
  const reset = resetOf(evidence, found?.kind ?? "unknown", found?.text ?? "");
  const unsafe = refusedMatch(evidence, rules, found);
  const best = unsafe ?? (found === undefined ? undefined : waitsForReset(found, reset, matches));
  const kind = best?.kind ?? "unknown";
  return makeFailure({
    kind,
    origin: originOf(evidence, kind),
    confidence: confidenceOf(kind, best, matches),
    because: reasons(kind, best, matches),
    signedBy: best?.text || lastWords(evidence),
    ...reset,
  });
}

/** Kinds that a refusal may first be classified as; the refused command can be more informative than the refusal. */
const REFUSALS: ReadonlySet<FailureKind> = new Set([
  "permission_denied",
  "content_refused",
  "unknown",
  "unsafe_action",
]);

function refusedMatch(
  evidence: Evidence,
  { readRefusal }: RuleBook,
  found: Match | undefined,
): Match | undefined {
  if (evidence.origin === "check" || !REFUSALS.has(found?.kind ?? "unknown")) return undefined;
  const refused = readRefusal?.(evidence);
  if (refused === undefined) return undefined;
  const place = `refused, because it ${refused.why}`;
  return { kind: "unsafe_action", score: 0, confidence: 0.9, place, text: refused.line };
}

/** Words that show that only a payment helps. */
const MONEY =
  /\b(?:credits?|balance|payments?|funds|invoices?|unpaid|spend(?:ing)?|budget|subscription|top[- ]?up|recharge|purchase|prepaid)\b|\$\d/i;

/** An account at its limit that says when access returns needs time, not a person, unless it lacks money. */
function waitsForReset(found: Match, reset: Reset, all: readonly Match[]): Match {
  if (found.kind !== "billing" || found.text === "" || MONEY.test(found.text)) return found;
  if (reset.resetAt === undefined && reset.retryAfterMs === undefined) return found;
  const isTyped = all.some(({ kind, text }) => kind === "billing" && text === "");
  return isTyped ? found : { ...found, kind: "rate_limited" };
}

/** Adds the matches of the texts. A text with only weak matches gets a second pass. */
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
    if ((strongest(matches)?.score ?? 0) < WEAK_SCORE)
      secondPassWindows(text, window).forEach(read);
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

/** The last lines, for the signature of a failure that no rule matches. */
function lastWords(evidence: Evidence): string {
  for (const { name } of FIELDS) {
    const end = textOf(evidence[name]).slice(-2_000);
    if (end.trim() !== "") return windowOf(end).text.trim().slice(-800);
  }
  return `${textOf(evidence.command)} ${evidence.exitCode ?? ""} ${textOf(evidence.signal)}`;
}

type Guess = "verification_failed" | "broken_build" | "dependency_error";

const CONFIDENCE: Readonly<Record<Guess, number>> = {
  verification_failed: 0.6,
  broken_build: 0.55,
  dependency_error: 0.5,
};

const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);

const table = (rows: Readonly<Record<Guess, string>>): ReadonlyMap<string, Guess> =>
  new Map(
    Object.entries(rows).flatMap(([kind, words]) =>
      wordsOf(words).map((word): [string, Guess] => [word, kind as Guess]),
    ),
  );

const PROGRAMS = table({
  verification_failed: `
    jest vitest mocha ava tap pytest tox nox rspec phpunit ctest cypress playwright karma bats
    eslint stylelint rubocop ruff flake8 mypy pyright pylint shellcheck golangci-lint prettier
    black isort clippy ktlint detekt hadolint yamllint commitlint
  `,
  broken_build: `
    tsc webpack vite rollup esbuild parcel javac gcc g++ cc c++ clang clang++ rustc ghc
    kotlinc swiftc scalac msbuild xcodebuild make gmake ninja bazel
  `,
  dependency_error: "bower bundler pod",
});

/** Programs whose subcommand shows their purpose. */
const RUNNERS = new Set(
  wordsOf(`
    npm yarn pnpm bun deno cargo go mix swift dotnet rails rake mvn gradle gradlew make just
    turbo nx pip pip3 uv poetry conda mamba gem bundle composer apt apt-get brew dnf apk zig
    stack cabal next node cmake flutter dart sbt lein php
  `),
);
const VERBS = table({
  verification_failed: "test tests lint check verify spec e2e typecheck --test",
  broken_build: "build compile package assemble bundle --build",
  dependency_error: "install i ci add get fetch update sync lock mod require restore",
});

const MAX_COMMAND = 400;
const WRAPPER =
  /^(?:cd \S{1,200} ?(?:&&|;)|[A-Z_]{1,40}=\S{0,80}|npx|bunx|time|env|sudo|-y|--yes)\s{1,4}/;
const RUNNER_WRAPPER = /^(?:(?:pnpm|yarn|bundle) exec|(?:poetry|uv) run|python3? -m)\s{1,4}/;

/** Exit codes that conventionally mean a usage error, provided the tool also printed a complaint. */
const USAGE_CODES: ReadonlySet<number> = new Set([2, 64]);
const COMPLAINT = /^\s{0,4}(?:error|fatal|\w{1,24}: error)\b/im;

export function guessFromCommand(evidence: Evidence): Match | undefined {
  const { command, exitCode, origin, stderr } = evidence;
  if (origin === "check" && exitCode !== 0)
    return match("verification_failed", CONFIDENCE.verification_failed, "a check did not pass");
  if (!isFailing(evidence)) return undefined;
  const guess = typeof command === "string" ? purposeOf(command) : undefined;
  if (guess !== undefined) return match(guess, CONFIDENCE[guess], "what the command is for");
  if (typeof stderr !== "string" || !USAGE_CODES.has(exitCode ?? 0)) return undefined;
  return COMPLAINT.test(stderr.slice(0, 4_000))
    ? match("invalid_arguments", 0.5, `exit code ${exitCode}`)
    : undefined;
}

/** A command that printed nothing gives no basis for a guess. */
function isFailing({ exitCode, stdout, stderr, message }: Evidence): boolean {
  const code = exitCode ?? 0;
  return code !== 0 && code < 128 && [stdout, stderr, message].some((text) => (text ?? "") !== "");
}

/** A command's purpose, from its program and verb. */
export function purposeOf(command: string): Guess | undefined {
  let rest = command.slice(0, MAX_COMMAND).trimStart();
  for (let round = 0; round < 6; round += 1)
    rest = rest.replace(WRAPPER, "").replace(RUNNER_WRAPPER, "");
  const [program = "", second = "", third = ""] = rest.split(/\s+/, 3);
  const name = program.split("/").at(-1) ?? "";
  const verb = second === "run" ? third : second;
  const ofVerb = RUNNERS.has(name) ? VERBS.get(verb.split(":")[0] ?? "") : undefined;
  return ofVerb ?? PROGRAMS.get(name);
}

const match = (kind: FailureKind, confidence: number, place: string): Match => ({
  kind,
  score: 0,
  confidence,
  place,
  text: "",
});
