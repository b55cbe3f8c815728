/**
 * One scenario for each source's preset, run through the command line with the scripted agent: what its source's flow does, step by
 * step. The trace it gives stands in docs/presets.md; `npm run traces` writes it, a test compares it.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script, ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { rephrased } from "./rephrasing-agent.ts";
import { repository, type Repository } from "./repository.ts";

interface Scenario {
  readonly preset: string;
  readonly source: string;
  readonly story: string;
  readonly plan: readonly string[];
  readonly script: Script;
  readonly files?: Readonly<Record<string, string>>;
  /** What a person does when the run waits for one, and the exit code after it. */
  readonly then?: readonly (readonly string[])[];
}

const IDLE: ScriptedAttempt = { print: "I am still looking into it" };
const done = (value: string): ScriptedAttempt => ({
  write: { "value.txt": value },
  print: `<approach>wrote ${value.trim()}</approach>`,
});
const BUILD = "src/a.ts(3,7): error TS2304: Cannot find name 'uncompiled'.";
const FILES = {
  "value.txt": "1\n",
  "check.sh": [
    `if grep -q broken value.txt; then echo "${BUILD}"; exit 2; fi`,
    "grep -q '^2$' value.txt || { echo 'FAIL value.test.js: expected 2'; exit 1; }",
    "",
  ].join("\n"),
};

const SCENARIOS: readonly Scenario[] = [
  {
    preset: "stuck-recovery",
    source: "Stuck recovery",
    story:
      "The agent never changes anything. After three attempts without progress the stages come in order: three mutations, " +
      "the next model, three branches, a person with a critical alert. (One agent at a time and a `branch_budget` of 1 keep it " +
      "short and in order.)",
    plan: [
      "models: [{agent: main, model: small}, {agent: main, model: large, tier: 2}]",
      "concurrency: 1",
      "loop: {recovery: {branch_budget: 1}}",
      "subtasks: [{id: fix, prompt: make the value 2}]",
    ],
    script: { fix: [IDLE] },
  },
  {
    preset: "recovery-actions",
    source: "Recovery actions",
    story:
      "A broken build is rolled back to the last good commit; failing checks are tried again with another approach while fewer " +
      "than three attempts were made; then the subtask is skipped and escalated, and the one beside it goes on.",
    plan: [
      "models: [{agent: main}]",
      "subtasks: [{id: fix, prompt: make the value 2}, {id: other, prompt: leave a note}]",
      "checks: [sh check.sh]",
    ],
    script: {
      fix: [done("broken\n"), done("3\n"), done("4\n"), done("5\n")],
      other: [{ write: { "note.txt": "a note\n" }, print: "done" }],
    },
    files: { ...FILES, "value.txt": "2\n" },
  },
  {
    preset: "recovery-strategies",
    source: "Recovery strategies by error type",
    story:
      "A command is missing. The strategies of its chain are tried one after the other, each handed to the agent as steps with the " +
      "real values; what would need a permission is left out; when all are used up the user is asked.",
    plan: ["models: [{agent: main}]", "subtasks: [{id: fix, prompt: make the value 2}]"],
    script: { fix: [{ error: "bash: line 1: jqq: command not found", exit: 127 }] },
  },
  {
    preset: "hierarchical",
    source: "Hierarchical recovery",
    story:
      "Level 1: a rate limit is waited for (5 s by the schedule, then 1 s because the server says so), uncounted. Level 2: a crash " +
      "logs the fall-through. Level 4: a person is asked; Level 3 is their answer, whose words stand in the next prompt.",
    plan: ["models: [{agent: main}]", "subtasks: [{id: fix, prompt: make the value 2}]"],
    script: {
      fix: [
        { error: "Error: 429 Too Many Requests: rate limit exceeded", exit: 1 },
        { error: "Error: 429 Too Many Requests. Please retry after 1 second.", exit: 1 },
        { signal: "SIGSEGV" },
        { ...done("2\n"), expectPrompt: "use the value file" },
      ],
    },
    then: [["resolve", "fix/c1", "--retry", "use the value file"], ["resume"]],
  },
  {
    preset: "tier-ladder",
    source: "Error recovery with tiers",
    story:
      "Attempt 1 at the planned tier, 2 at the same tier with feedback, 3 at the next tier with clean context, 4 at the top with " +
      "extended thinking; then approval is requested, the subtask is parked and the independent one goes on.",
    plan: [
      "models: [{agent: main, model: small}, {agent: main, model: medium, tier: 2}, {agent: main, model: large, tier: 3}]",
      "subtasks: [{id: fix, prompt: make the value 2}, {id: other, prompt: leave a note, checks: [test -f note.txt]}]",
      "checks: [sh check.sh]",
    ],
    script: {
      fix: [done("3\n"), done("4\n"), done("5\n"), done("6\n")],
      other: [{ write: { "note.txt": "a note\n" }, print: "done" }],
    },
  },
];

export const PRESET_NAMES = SCENARIOS.map(({ preset }) => preset);

/** The section of docs/presets.md for one preset, from a real run; how much its agent talks makes no difference. */
export function presetTrace(name: string, agent: "scripted" | "rephrasing" = "scripted"): string {
  const scenario = SCENARIOS.find(({ preset }) => preset === name);
  if (scenario === undefined) throw new Error(`no scenario for ${name}`);
  const here = repository(scenario.files ?? FILES);
  try {
    const script = agent === "rephrasing" ? rephrased(scenario.script) : scenario.script;
    return traceOf(here, { ...scenario, script });
  } finally {
    here.remove();
  }
}

function traceOf(here: Repository, scenario: Scenario): string {
  const plan = [
    `policy: ${scenario.preset}`,
    "grounding: false",
    ...(scenario.plan.some((line) => line.startsWith("checks:")) ? [] : ["checks: [sh check.sh]"]),
    ...scenario.plan,
  ];
  const file = join(here.path, "plan.yaml");
  const agents = `agents: {main: {command: ${JSON.stringify(here.agent(scenario.script))}}}`;
  writeFileSync(file, [...plan, agents, ""].join("\n"));
  const blocks = [here.unstuck("run", file, "--trust")];
  for (const words of scenario.then ?? []) blocks.push(here.unstuck(...words));
  const commands = ["run plan.yaml", ...(scenario.then ?? []).map((words) => words.join(" "))];
  const shown = blocks.map(
    ({ out, code }, index) => `$ unstuck ${commands[index]}\n${calm(out)}\n(exit code ${code})`,
  );
  return [
    `## ${scenario.source}: \`${scenario.preset}\``,
    scenario.story,
    ["```yaml", ...plan, "```"].join("\n"),
    ["```text", shown.join("\n\n"), "```"].join("\n"),
  ].join("\n\n");
}

/** Without what differs from run to run, and without the closing table. */
function calm(out: string): string {
  const [lines = ""] = out.split(/^── run /m);
  return lines
    .replace(/\d{8}-\d{4}-[0-9a-f]{6}/g, "<run>")
    .replace(/waits until \S+/g, "waits until <time>")
    .replace(/\b[0-9a-f]{40}\b/g, "<commit>")
    .trimEnd();
}
