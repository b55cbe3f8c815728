/**
 * When nothing in the evidence decides: what the command itself was for. Imports evidence types.
 * Invariants: only the program and subcommand words at the start of a command count, never its
 * arguments; never a fatal kind; low confidence.
 */
import type { Evidence } from "../evidence.ts";
import type { FailureKind } from "../failure.ts";
import type { Match } from "./match.ts";

type Guess = readonly [kind: FailureKind, confidence: number, program: RegExp];

const WRAPPERS =
  /^(?:\s{0,4}(?:cd \S{1,200} ?(?:&&|;)|[A-Z_]{1,40}=\S{0,80}|npx(?: -y| --yes)?|pnpm exec|yarn exec|poetry run|uv run|bundle exec|python3? -m|time|env|sudo))\s{1,4}/;

const GUESSES: readonly Guess[] = [
  [
    "verification_failed",
    0.6,
    /^(?:jest|vitest|mocha|ava|pytest|tox|rspec|phpunit|ctest|cypress|playwright|karma|bats|eslint|stylelint|rubocop|ruff|flake8|mypy|pylint|shellcheck|golangci-lint|prettier --check|node --test|(?:npm|yarn|pnpm|bun|deno|cargo|go|mix|swift|dotnet|rails|zig build|mvn|make|gradle|\.\/gradlew) (?:run )?(?:test|lint|check|verify)\b)/,
  ],
  [
    "broken_build",
    0.55,
    /^(?:tsc|webpack|vite build|rollup|esbuild|next build|javac|gcc|g\+\+|clang(?:\+\+)?|rustc|ghc|kotlinc|swiftc|zig build|make|ninja|cmake --build|msbuild|xcodebuild|(?:npm|yarn|pnpm|bun|cargo|go|dotnet|swift|mix|stack|cabal) (?:run )?(?:build|compile|install -e)\b|mvn (?:compile|package|install)|(?:\.\/)?gradlew? (?:build|assemble\w{0,20}|compile\w{0,20}))(?:\s|$)/,
  ],
  [
    "dependency_error",
    0.5,
    /^(?:(?:npm|pnpm) (?:ci|i|install|add)|yarn (?:install|add)|(?:pip3?|uv pip|conda|mamba|gem|composer|bundle|poetry|apt-get|apt|brew|dnf|apk) install|poetry (?:lock|add)|uv (?:sync|lock|add)|cargo (?:fetch|update|add)|go (?:get|mod)|composer (?:update|require))(?:\s|$)/,
  ],
];

/** Exit codes that by convention mean a wrong call, if the tool also complained. */
const USAGE_CODES: ReadonlySet<number> = new Set([2, 64]);
const COMPLAINT = /^\s{0,4}(?:error|fatal|\w{1,24}: error)\b/im;

export function fallbackMatch(evidence: Evidence): Match | undefined {
  const { command, exitCode, origin, stderr } = evidence;
  if (origin === "check" && exitCode !== 0)
    return guess("verification_failed", 0.6, "a check did not pass");
  if (!isFailing(evidence)) return undefined;
  const program = typeof command === "string" ? unwrappedCommand(command.slice(0, 400)) : "";
  for (const [kind, confidence, pattern] of GUESSES)
    if (pattern.test(program)) return guess(kind, confidence, "what the command is for");
  if (typeof stderr !== "string" || !USAGE_CODES.has(exitCode ?? 0)) return undefined;
  return COMPLAINT.test(stderr.slice(0, 4_000))
    ? guess("invalid_arguments", 0.5, `exit code ${exitCode}`)
    : undefined;
}

/** A command that printed nothing at all gives no ground for a guess. */
function isFailing({ exitCode, stdout, stderr, message }: Evidence): boolean {
  return (
    exitCode !== undefined &&
    exitCode !== 0 &&
    exitCode < 128 &&
    `${stdout ?? ""}${stderr ?? ""}${message ?? ""}` !== ""
  );
}

function unwrappedCommand(command: string): string {
  let rest = command.trimStart();
  for (let round = 0; round < 5 && WRAPPERS.test(rest); round += 1)
    rest = rest.replace(WRAPPERS, "");
  return rest;
}

const guess = (kind: FailureKind, confidence: number, place: string): Match => ({
  kind,
  score: 0,
  confidence,
  place,
  text: "",
});
