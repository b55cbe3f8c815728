/**
 * What the repository's own checks must show for a goal. A passing check must keep passing. A failing one must pass if
 * the goal mentions it; otherwise it must not get worse. One that hangs or cannot run is left out, and so is one whose
 * failures cannot be compared. Invariants: pure; linear time; an ambiguous word requires less, never more.
 */
import type { TriedCheck } from "../setup/schemas.ts";

export interface GoalCheck {
  readonly run: string;
  readonly from?: string;
  /** On the commit that the work starts from; missing if it was not tried. */
  readonly state?: "green" | "red";
  readonly expect: "pass" | "no-worse";
  readonly headline?: string;
  readonly items?: number;
}

export interface LeftOutCheck {
  readonly run: string;
  readonly from: string;
  readonly why: string;
}

export function goalChecks(
  goal: string,
  tried: readonly TriedCheck[],
): { readonly checks: readonly GoalCheck[]; readonly leftOut: readonly LeftOutCheck[] } {
  const checks: GoalCheck[] = [];
  const leftOut: LeftOutCheck[] = [];
  for (const { run, from, state, headline, items = 0, why } of tried) {
    const isWanted = state === "red" && isAbout(goal, run);
    if (state === "green") checks.push({ run, from, state, expect: "pass" });
    else if (state === "red" && (isWanted || items > 0))
      checks.push({
        ...{ run, from, state, expect: isWanted ? "pass" : "no-worse" },
        ...(headline === undefined ? {} : { headline }),
        ...(items === 0 ? {} : { items }),
      });
    else leftOut.push({ run, from, why: state === "red" ? UNCOUNTABLE : (why ?? "it cannot run") });
  }
  return { checks, leftOut };
}

/** Its failures have no names to compare, so "no worse" could never be established. */
const UNCOUNTABLE = "already failing, and its failures cannot be told apart";

interface Topic {
  readonly inGoal: RegExp;
  readonly inCommand: RegExp;
}

const A = String.raw`(?:a|an|the|some|me|us|my|our|new|out|up|on|it|support|for)\b`;

const TOPICS: readonly Topic[] = [
  {
    // fix CI, make all checks pass, get everything green
    inGoal:
      /\b(?:CI|pipeline)\b|\bchecks (?:pass|green|work|succeed)\b|\b(?:all|the|every) checks?\b/,
    inCommand: /^/,
  },
  {
    inGoal: /\b(?:tests?|specs?|test[ -]?suite)\b/i,
    inCommand:
      /(?:^|[\s:/._-])(?:tests?|specs?|pytest|unittest|jest|vitest|mocha|rspec|phpunit|ctest|unit|e2e|integration)\b|\b(?:make|gradlew?) check\b|\bmvnw? .{0,40}verify\b/,
  },
  {
    inGoal: /\b(?:lint(?:s|er|ers|ed|ing)?|linting errors?)\b/i,
    inCommand: /\b\w{0,20}lint\b|\b(?:ruff|clippy|rubocop|vet|stylecheck|checkstyle|biome)\b/,
  },
  {
    // the types, type errors, typecheck; not "types of users", "a new type"
    inGoal:
      /\btypes\b(?! (?:of|for|in|like)\b)|\btype[ -]?(?:check\w{0,8}|errors?|safety)\b|\btyping\b/i,
    inCommand: /\b(?:type-?check|types|tsc|mypy|pyright|check-types)\b|\bcargo check\b/,
  },
  {
    // the build, it builds again, compile errors; not "build a page", "compile the list"
    inGoal: new RegExp(
      String.raw`\b(?:the|our|my|this|broken|failing|red|clean) build\b|\bbuild(?:s|ing)?\b(?! ${A})(?=$|[.,;:!?]| (?:again|pass|fail|work|succe|break|broken|error|green|is|script|step|and|with|in))|\bcompil(?:e|es|er|ing|ation)\b(?! ${A})`,
      "i",
    ),
    inCommand:
      /\b(?:build|compile|assemble|tsc)\b|\b(?:cargo|go) (?:check|build|vet)\b|\bmake(?: all)?$/,
  },
  { inGoal: /\b(?:formatting|formatter|fmt)\b/i, inCommand: /\b(?:fmt|format|prettier|black)\b/ },
];

/** Whether a person who writes this goal means what this command checks. */
export function isAbout(goal: string, command: string): boolean {
  const last = command.split("&&").at(-1)?.trim() ?? "";
  const after = last.includes(" ") ? goal.split(last).slice(1) : [];
  return (
    after.some((rest) => /^(?!\w)/.test(rest)) ||
    TOPICS.some(({ inGoal, inCommand }) => inGoal.test(goal) && inCommand.test(last)) ||
    namesOf(last).some((name) => wordsOf(goal).has(name))
  );
}

/** Words that only say how a command is started, or nothing, and occur in goals by chance. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "npm pnpm yarn bun npx run exec make just uv poetry pdm pipenv python python3 node deno task cargo go gradle gradlew mvn " +
    "mvnw bundle rake composer php dotnet cmake swift mix check checks verify all test tests build lint types start if present"
  ).split(" "),
);

/** The words that distinguish a command: the name of a script or a tool. */
const namesOf = (command: string): readonly string[] =>
  command
    .split(/[\s/]+/)
    .filter((word) => /^[\w:.-]{2,60}$/.test(word) && !word.startsWith("-"))
    .map((word) => word.toLowerCase())
    .filter((word) => !COMMON.has(word) && !/^[\d.]+$/.test(word));

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .slice(0, 100_000)
      .match(/[\w:.-]{2,60}(?<![.:-])/g),
  );
