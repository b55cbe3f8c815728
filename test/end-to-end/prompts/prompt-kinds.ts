/**
 * One small run for each kind of prompt, through the command line with a scripted agent that keeps what it is told. The
 * prompts stand in docs/prompts.md; `npm run prompts` writes them, a test compares them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { recordingAgent } from "../run/recording-agent.ts";
import { repository, type Repository } from "../run/repository.ts";
import { planFile } from "../run/runs.ts";

interface PromptKind {
  readonly name: string;
  readonly story: string;
  /** What the agent does; the attempts that are shown are the last ones of these. */
  readonly script: readonly ScriptedAttempt[];
  /** Of the policy, as YAML flow maps without their braces; without it the policy is `standard`. */
  readonly rungs?: readonly string[];
  readonly policy?: "adaptive";
  /** How many prompts are shown; one. */
  readonly shown?: number;
  readonly subtask?: string;
  /** What a person does when the run has stopped. */
  readonly then?: readonly (readonly string[])[];
  /** Imported before the run. */
  readonly past?: readonly (readonly [approach: string, error: string])[];
  /** Driven as an agent with a permission gate of its own. */
  readonly gated?: true;
}

/** Green on the base, so that there is a good commit to go back to. */
const FILES = {
  "sum.txt": "5\n",
  "check.sh": [
    "grep -q '^5$' sum.txt && exit 0",
    'echo "FAIL sum.test.js > adds two numbers"',
    'echo "AssertionError: expected 5, got $(cat sum.txt)"',
    'echo "    at sum.test.js:4:10"',
    "exit 1",
    "",
  ].join("\n"),
};

const sums = (value: string, approach: string): ScriptedAttempt => ({
  write: { "sum.txt": `${value}\n` },
  print: `<approach>${approach}</approach>`,
});
const STRINGS = sums("23", "join the digits as strings");
const ROUNDED = sums("6", "round both numbers up");
const RIGHT = sums("5", "add the two numbers");

const mutated = (mutation: string, story: string): PromptKind => ({
  name: `mutate (${mutation})`,
  story,
  script: [STRINGS, RIGHT],
  rungs: [`id: mutate, do: mutate, mutations: [${mutation}], times: 1`],
});

export const PROMPT_KINDS: readonly PromptKind[] = [
  { name: "first attempt", story: "The goal, the rule, the checks.", script: [RIGHT] },
  {
    name: "first attempt behind a gate",
    story:
      "The agent has a permission gate: it is told what it may run (agents without one are not).",
    script: [RIGHT],
    gated: true,
  },
  {
    name: "feedback",
    story: "After a failed check: what failed, whole, and what was tried.",
    script: [STRINGS, RIGHT],
    rungs: ["id: feedback, do: feedback, times: 1"],
  },
  {
    name: "feedback after two failures",
    story: "The newest failure is still whole; older ones are told in short.",
    script: [STRINGS, ROUNDED, RIGHT],
    rungs: ["id: feedback, do: feedback, times: 2"],
  },
  {
    name: "feedback (examples)",
    story:
      "As the adaptive policy sends a failing check back: what fails is also what to work from.",
    script: [STRINGS, RIGHT],
    policy: "adaptive",
  },
  {
    name: "repair",
    story: "A failure with a known repair: its steps, with the real values.",
    script: [{ error: "bash: line 1: jqq: command not found", exit: 127 }, RIGHT],
    rungs: ["id: repair, do: repair, times: 1"],
  },
  mutated("rephrase", "The goal in other words."),
  mutated("decompose", "The goal in steps."),
  mutated("constrain", "The goal with its limits."),
  mutated("examples", "The goal with what fails as examples."),
  mutated("negative", "The goal with what not to do."),
  {
    name: "fresh",
    story: "The tree was rolled back; what was in it is said.",
    script: [STRINGS, RIGHT],
    rungs: ["id: fresh, do: fresh, times: 1"],
  },
  {
    name: "fresh (decompose)",
    story: "As the adaptive policy starts fresh: with the goal in other words, here in steps.",
    script: [STRINGS, ROUNDED, RIGHT],
    policy: "adaptive",
  },
  {
    name: "escalate, with thinking",
    story:
      "A stronger model. A command without `{thinking}` is asked to think longer. (`sidegrade`, and `escalate` without thinking, read as `feedback` does.)",
    script: [STRINGS, RIGHT],
    rungs: ["id: up, do: escalate, to: top, thinking: true, times: 1"],
  },
  {
    name: "explore",
    story:
      "Two branches after a mutation: each has its own way and its own tree, and knows what is known.",
    script: [STRINGS, ROUNDED, sums("4", "subtract"), sums("8", "multiply")],
    shown: 2,
    rungs: [
      "id: mutate, do: mutate, mutations: [decompose], times: 1",
      "id: explore, do: explore, times: 1",
    ],
  },
  {
    name: "continue",
    story: "The context was full: the next session is told where the last one stood.",
    script: [
      {
        ...STRINGS,
        print: "The parser is done. Next: the sum itself.",
        error: "Error: prompt is too long: 210000 tokens > 200000 maximum",
        exit: 1,
      },
      RIGHT,
    ],
  },
  {
    name: "retry with a reminder of the format",
    story: "The answer was to be JSON of a shape, and was not.",
    script: [{ print: "The port is 8080." }, { print: '{"port": 8080}' }],
    subtask:
      "id: fix, prompt: which port does it use?, readOnly: true, output: { type: object, required: [port] }",
  },
  {
    name: "a person's words",
    story:
      'A person was asked and answered: `unstuck resolve fix/c1 --retry "sum.txt holds the sum"`.',
    script: [STRINGS, RIGHT],
    rungs: [],
    then: [["resolve", "fix/c1", "--retry", "sum.txt holds the sum"], ["resume"]],
  },
  {
    name: "first attempt with the history of an earlier run",
    story:
      "`unstuck run --history <run>`: what failed before is told to the first attempt already.",
    script: [RIGHT],
    past: [
      ["use a calculator library", "ERESOLVE could not resolve calc@2"],
      ["read the sum from a table", "expected 5, got 12"],
    ],
  },
];

/** The section of docs/prompts.md for one kind, from a real run. */
export function promptSection(name: string): string {
  const kind = PROMPT_KINDS.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`no prompt kind ${name}`);
  const here = repository(FILES);
  try {
    const prompts = kind.gated ? gatedPrompts(here) : plainPrompts(here, kind);
    const fenced = prompts.map((prompt) => `\`\`\`\`text\n${calm(prompt, here)}\n\`\`\`\``);
    return [`## ${kind.name}`, kind.story, ...fenced].join("\n\n");
  } finally {
    here.remove();
  }
}

const SUBTASK = "id: fix, prompt: make sum.txt hold the sum of 2 and 3, checks: [sh check.sh]";

function plainPrompts(here: Repository, kind: PromptKind): readonly string[] {
  const { script, rungs, policy, subtask = SUBTASK, then = [], shown = 1 } = kind;
  const agent = recordingAgent(here, { fix: script });
  const rung = (text: string): string => `    - { ${text} }`;
  const plan = planFile(
    here,
    agent.command,
    [subtask],
    [
      "grounding: false",
      "concurrency: 1",
      `agents: { main: { command: ${JSON.stringify(agent.command)} } }`,
      "models: [{ agent: main, model: small }, { agent: main, model: large, tier: 3 }]",
      ...(policy === undefined ? [] : [`policy: ${policy}`]),
      ...(rungs === undefined
        ? []
        : [
            ...["policy:", "  extends: recovery-actions", "  structure: true"],
            "  recovery: { branchCount: 2, branchBudget: 1 }",
            ...["  rungs:", ...[...rungs, "id: stop, do: [skip, ask]"].map(rung)],
          ]),
    ],
  );
  const history = kind.past === undefined ? [] : ["--history", imported(here, kind.past)];
  here.unstuck("run", plan, "--trust", ...history);
  for (const words of then) here.unstuck(...words);
  return script.map((_, index) => agent.promptOf(`fix/${index + 1}`)).slice(-shown);
}

function imported(here: Repository, past: NonNullable<PromptKind["past"]>): string {
  const file = join(here.path, "..", "past.json");
  const attempts = past.map(([approach, error], index) => ({
    ...{ session: index + 1, timestamp: "2026-01-01T10:00:00Z", approach, success: false, error },
  }));
  const subtasks = { fix: { status: "stuck", attempts } };
  writeFileSync(file, JSON.stringify({ subtasks }));
  return (JSON.parse(here.unstuck("import", file, "--json").out) as { run: string }).run;
}

/** A program that stands for an agent with a gate, keeps what it is told, and does no more. */
function gatedPrompts(here: Repository): readonly string[] {
  const told = join(here.path, "..", "told");
  const program = join(here.path, "..", "gated.sh");
  writeFileSync(program, `case "$*" in *--version*) echo 1.0.0;; *) cat > '${told}';; esac\n`);
  const command = JSON.stringify(`sh "${program}"`);
  const plan = planFile(
    here,
    `sh "${program}"`,
    [SUBTASK],
    [
      "grounding: false",
      `agents: { main: { adapter: gemini, command: ${command} } }`,
      "models: [{ agent: main }]",
      "policy: { extends: tier-ladder, rungs: [{ id: stop, do: [skip, ask] }] }",
    ],
  );
  here.unstuck("run", plan, "--trust");
  return [readFileSync(told, "utf8")];
}

/** Without what differs from run to run. */
const calm = (prompt: string, { home }: Repository): string =>
  prompt
    .replaceAll(home, "<home>")
    .replace(/runs\/[^/\s]+\//g, "runs/<run>/")
    .replace(/\bcommit [0-9a-f]{10}\b/g, "commit 0123456789")
    .trimEnd();
