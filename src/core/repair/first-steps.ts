/**
 * The first useful steps for a failure whose kind has no chain in the source document, or whose chain has nothing to
 * offer: chosen by the text if it is more specific than the kind, else by the kind. For people who ask what to do; a
 * run has its own recoveries. Invariants: every kind has at least one step; values from the text are quoted; nothing is
 * deleted.
 */
import { KINDS, type FailureKind } from "../kinds.ts";
import { again, commandOf, guidance, lookAround, named, shellStep, waitStep } from "./chain.ts";
import type { RepairFacts, StepDraft, StrategyRow } from "./chain.ts";
import { MANIFEST_INSTALL } from "./chains/missing-programs.ts";
import { sh } from "./shell-script.ts";

const SURE = 0.8;
const LIKELY = 0.7;
const GENERAL = 0.5;

type Steps = StrategyRow["steps"];

const withShell = (name: string, steps: Steps): StrategyRow => ({
  ...{ name, confidence: SURE, tools: ["run_bash"], steps },
});
const inWords = (name: string, steps: Steps, confidence = LIKELY): StrategyRow => ({
  ...{ name, confidence, tools: [], steps },
});

const found = (pattern: RegExp, text: string): string | undefined => pattern.exec(text)?.[1];

const runAgain = (facts: RepairFacts, expectedOutcome: string): StepDraft =>
  again(facts, `Run ${commandOf(facts.values)} again`, expectedOutcome);

const PORT_TAKEN = /\b(?:EADDRINUSE|address already in use|port \d{1,5} is already)/i;
const PORT = /(?:EADDRINUSE[^\n]{0,80}?:|address already in use[^\n\d]{0,40}:?|port )(\d{2,5})\b/i;

function freePort(facts: RepairFacts): readonly StepDraft[] {
  if (!PORT_TAKEN.test(facts.text)) return [];
  const port = found(PORT, facts.text);
  const look =
    port === undefined
      ? sh`ss -ltnp 2>/dev/null || lsof -nP -iTCP -sTCP:LISTEN`
      : sh`lsof -nP -iTCP:${port} -sTCP:LISTEN || ss -ltnp 2>/dev/null | grep -F -- ${`:${port} `}`;
  return [
    shellStep(
      `See which process listens on ${port === undefined ? "the port" : `port ${port}`}`,
      look,
      "The process that holds the port, or nothing if it is free by now",
    ),
    guidance("End that process if it is one of yours, or take another port", "The port is free"),
    runAgain(facts, "It listens"),
  ];
}

function findRepository(facts: RepairFacts): readonly StepDraft[] {
  if (!/\bnot a git repository\b/i.test(facts.text)) return [];
  return [
    shellStep(
      "See where you are, and whether a repository lies here or one level below",
      `pwd; ls -d .git ./*/.git 2>/dev/null`,
      "The folder of the repository, or no repository at all",
    ),
    guidance(
      "Change into the repository's folder; run `git init` only if there is to be a new one",
      "`git rev-parse --show-toplevel` prints its folder",
    ),
    runAgain(facts, "git finds its repository"),
  ];
}

const MODULE = [
  /\bCannot find (?:module|package) ['"]([^'"\n]{1,200})['"]/,
  /\bNo module named ['"]?([\w.-]{1,100})/,
  /\bno required module provides package ([\w./@-]{1,200}?)[;\s]/,
  /\b(?:unresolved import|can't find crate for) `([\w:]{1,100})`/,
  /\bCould not resolve ['"]([^'"\n]{1,200})['"]/,
  /\bcannot load such file -- ([\w/.-]{1,100})/,
];

function missingModule(facts: RepairFacts): readonly StepDraft[] {
  const name = MODULE.map((pattern) => found(pattern, facts.text)).find((one) => one !== undefined);
  if (name === undefined) return [];
  if (/^[./]/.test(name))
    return [
      shellStep(
        `Look for the file that ${named(name)} means: its name, its ending, its folder`,
        sh`find . -name node_modules -prune -o -name .git -prune -o -iname ${`*${lastPart(name)}*`} -print | head -n 20`,
        "The path that the import should name",
      ),
      guidance("Correct the import, or add the file it names", "The module is found"),
      runAgain(facts, "The module is found"),
    ];
  const manifests = ["package.json", "requirements.txt", "pyproject.toml", "go.mod", "Cargo.toml"];
  return [
    shellStep(
      `See whether the project's manifest names ${named(name)}`,
      sh`grep -n -F -- ${name.split(/[/.:]/)[0] ?? name} ${[...manifests, "Gemfile"]} 2>/dev/null`,
      "A line of the manifest; none means that it has to be added first, or that the name is wrong",
    ),
    shellStep(
      "Install what the manifest names",
      MANIFEST_INSTALL,
      "The package manager reports success",
      "install",
    ),
    runAgain(facts, "The module is found"),
  ];
}

const lastPart = (path: string): string =>
  (path.split("/").at(-1) ?? path).replace(/[\\*?[\]]/g, "\\$&");

const CONFLICT = /\b(?:ERESOLVE|peer dep|conflicting (?:peer )?dependenc|ResolutionImpossible)/i;
const WANTED = /\bpeer (@?[\w./-]{1,100})@/;

function fitVersions(facts: RepairFacts): readonly StepDraft[] {
  if (!CONFLICT.test(facts.text)) return [];
  const name = found(WANTED, facts.text);
  const change = guidance(
    "Choose versions that accept each other: raise the package that asks for the old one, or lower the other",
    "The manifest names versions that fit together",
  );
  const look = shellStep(
    `See who wants which version of ${name === undefined ? "it" : named(name)}`,
    name === undefined ? "npm ls 2>&1 | grep -i invalid" : sh`npm explain ${name}`,
    "The packages that ask for different versions",
  );
  return /ERESOLVE|npm|peer/i.test(facts.text)
    ? [look, change, runAgain(facts, "The dependencies are installed")]
    : [change, runAgain(facts, "The dependencies are installed")];
}

function firstError(facts: RepairFacts): readonly StepDraft[] {
  const { syntaxPlace: place } = facts.values;
  return [
    ...(place === undefined ? [] : [lookAround(place)]),
    guidance(
      "Correct the first error that is printed; those after it often follow from it",
      "The first error is gone",
    ),
    runAgain(facts, "It compiles"),
  ];
}

const TEST_FILE =
  /(?:^|[\s("'/])((?:[\w.-]{1,60}\/){0,8}(?:test_[\w-]{1,60}\.\w{1,4}|[\w-]{1,60}[._](?:test|spec)s?\.\w{1,4}))(?![\w/])/;

function firstFailure(facts: RepairFacts): readonly StepDraft[] {
  const file = found(TEST_FILE, facts.text);
  return [
    ...(file === undefined
      ? []
      : [
          shellStep(
            `Read what ${named(file)} asks for`,
            sh`cat -- ${`./${file}`}`,
            "The assertion that fails",
          ),
        ]),
    guidance(
      "Compare what the first failing test expected with what it got, and change the code, not the test",
      "That test passes",
    ),
    runAgain(facts, "The test passes"),
  ];
}

const wait = ({ failure }: RepairFacts): StepDraft => waitStep(failure.retryAfterMs ?? 30_000);

const waitThenAgain: Steps = (facts) => [wait(facts), runAgain(facts, "The service answers")];

const HEAP = /JavaScript heap|max-old-space-size/;

const lessMemory: Steps = (facts) => [
  HEAP.test(facts.text)
    ? guidance(
        "Give Node more memory: NODE_OPTIONS=--max-old-space-size=4096, or as much as the machine has",
        "It ends without running out of memory",
      )
    : guidance(
        "Do less at once: fewer workers or jobs, smaller inputs, nothing else beside it",
        "It ends without running out of memory",
      ),
  runAgain(facts, "It ends without running out of memory"),
];

const conflicts: Steps = () => [
  shellStep(
    "List the files with conflicts and what both sides say",
    "git status --short | grep -E '^(UU|AA|DU|UD|AU|UA|DD) '; git diff --diff-filter=U",
    "Each conflict with both sides",
  ),
  guidance("Keep what both changes are for in each file, then `git add` it", "No conflict is left"),
];

/** Causes visible in the text, in order of preference. */
const CAUSES: readonly StrategyRow[] = [
  withShell("free_the_port", freePort),
  withShell("find_the_repository", findRepository),
  withShell("fit_versions", fitVersions),
  withShell("add_missing_module", missingModule),
];
const HAVE_CAUSES: ReadonlySet<FailureKind> = new Set([
  ...([
    "unknown",
    "dependency_error",
    "broken_build",
    "verification_failed",
    "agent_crash",
  ] as const),
]);

const BY_KIND: { readonly [kind in FailureKind]?: readonly StrategyRow[] } = {
  broken_build: [withShell("fix_first_error", firstError)],
  verification_failed: [withShell("fix_first_failing_test", firstFailure)],
  server_overloaded: [inWords("wait_and_retry", waitThenAgain)],
  server_error: [inWords("wait_and_retry", waitThenAgain)],
  out_of_memory: [inWords("use_less_memory", lessMemory)],
  merge_conflict: [withShell("resolve_conflicts", conflicts)],
  agent_crash: [inWords("run_again", (facts) => [runAgain(facts, "It does not crash again")])],
  malformed_output: [
    inWords("ask_for_the_format", () => [
      guidance("Ask again for nothing but the answer in its form, with an example", "It is valid"),
    ]),
  ],
  context_exhausted: [
    inWords("start_a_new_session", () => [
      guidance(
        "Write down what is done and what is left, and go on in a new session with a smaller part",
        "The new session has room",
      ),
    ]),
  ],
  unknown: [
    inWords("see_more", (facts) => [
      runAgain(facts, "The same error: it is no accident"),
      guidance(
        "Find the first line that is no longer as expected, and what it is about",
        "A cause",
      ),
    ]),
  ],
};

/** The last resort of every kind: its own advice for a person. */
const general = (kind: FailureKind): StrategyRow =>
  inWords("act_on_it", () => [guidance(KINDS[kind].action, "The cause is gone")], GENERAL);

/** In the order in which they are worth trying; rows without steps do not apply. */
export function firstSteps(kind: FailureKind): readonly StrategyRow[] {
  const causes = HAVE_CAUSES.has(kind) ? CAUSES : [];
  return [...causes, ...(BY_KIND[kind] ?? []), general(kind)];
}
