/**
 * When nothing in the evidence decides: what the command itself was for. Invariants: only the program and its verb
 * count, never its arguments; never a fatal kind; low confidence.
 */
import type { Evidence } from "../evidence.ts";
import type { FailureKind } from "../kinds.ts";
import type { Match } from "./text-matches.ts";

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

/** Programs whose second word says what they are for. */
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

/** Exit codes that by convention mean a wrong call, if the tool also complained. */
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

/** A command that printed nothing at all gives no ground for a guess. */
function isFailing({ exitCode, stdout, stderr, message }: Evidence): boolean {
  const code = exitCode ?? 0;
  return code !== 0 && code < 128 && [stdout, stderr, message].some((text) => (text ?? "") !== "");
}

function purposeOf(command: string): Guess | undefined {
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
