/** Mistakes that people make before a run starts: what is in the repository, and what they type. */

export interface Mistake {
  readonly what: string;
  /** The plan, as `unstuck.yaml`; shown with the mistake. */
  readonly plan?: string;
  /** Beside it. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Default: `unstuck run`. */
  readonly args?: readonly string[];
  /** From the folder that the repository is in. */
  readonly cwd?: string;
}

const GOAL = ["run", "--goal", "make the value 2"];
const agent = (command: string, ...more: string[]) => [...GOAL, "--agent", command, ...more];
const WORKS = "sh agent.sh {prompt}";
const check = (command: string) => agent(WORKS, "--check", command);
const planned = (...lines: string[]): string => `agent: ${WORKS}\n${lines.join("\n")}\n`;
const subtasks = (...lines: string[]): string => planned("subtasks:", ...lines);

export const MISTAKES: readonly Mistake[] = [
  { what: "an unknown command", args: ["stauts"] },
  { what: "an unknown flag", args: ["run", "--gaol", "make the tests pass"] },
  { what: "a flag without its value", args: ["run", "--goal"] },
  { what: "a number out of range", args: agent(WORKS, "--concurrency", "100") },
  { what: "a number that is none", args: agent(WORKS, "--stuck-after", "many") },
  { what: "two plan files", args: ["run", "a.yaml", "b.yaml"] },
  { what: "a goal without quotes", args: ["run", "make", "the", "tests", "pass"] },
  { what: "a run that is not named", args: ["cancel"] },

  { what: "an empty goal", args: ["run", "--goal", "", "--agent", WORKS] },
  { what: "an empty agent", args: agent("") },
  { what: "no agent", args: GOAL },
  { what: "a quote that is not closed", args: agent("claude -p 'do it {prompt}") },
  { what: "a pipe outside a shell", args: agent("claude -p {prompt} | tee log.txt") },
  { what: "two commands outside a shell", args: agent("cat {promptFile} && claude") },
  { what: "a redirection outside a shell", args: agent("claude -p < {promptFile}") },
  { what: "a prompt inside a shell's script", args: agent("sh -c 'claude -p {prompt}'") },
  { what: "a misspelt agent", args: agent("cluade -p {prompt}") },
  { what: "a known agent that is not installed", args: agent("codex") },
  { what: "a program that is not there", args: agent("my-own-agent {prompt}") },
  { what: "a path that is not there", args: agent("./agents/mine {prompt}") },
  { what: "a file that may not be executed", args: agent("./check.sh {prompt}") },
  {
    what: "an agent that is not committed",
    files: { "mine.sh": "#!/bin/sh\n" },
    args: agent("./mine.sh {prompt}"),
  },
  { what: "an agent that nobody is logged in to", args: agent("claude") },

  { what: "an empty check", args: check("") },
  { what: "a misspelt check", args: check("nmp test") },
  { what: "a check whose script is not there", args: check("./chekc.sh") },
  { what: "a check in a folder that has no such script", args: check("cd sub && ./test.sh") },
  { what: "an empty set-up", args: agent(WORKS, "--setup", "") },
  { what: "an unknown policy", args: agent(WORKS, "--policy", "standrad") },
  { what: "a policy file that is not there", args: agent(WORKS, "--policy", "./mine.yaml") },
  {
    what: "a policy file with a mistake",
    files: { "mine.yaml": "extends: standard\nrungs:\n  - id: first\n    do: feedbak\n" },
    args: agent(WORKS, "--policy", "./mine.yaml"),
  },
  { what: "the history of an unknown run", args: agent(WORKS, "--history", "nope") },

  { what: "neither a plan nor a goal" },
  { what: "a plan that is not there", args: ["run", "paln.yaml"] },
  { what: "a folder instead of a plan", args: ["run", "."] },
  { what: "a plan of the wrong name", files: { "unstuck.yml": planned("goal: g") } },
  {
    what: "two plans in one folder",
    plan: planned("goal: g"),
    files: { "unstuck.yml": planned("goal: g") },
  },
  {
    what: "a plan that is not UTF-8",
    files: { "unstuck.yaml": Buffer.from("goal: caf\xe9\n", "latin1") },
  },
  {
    what: "a plan that is too large",
    files: { "unstuck.yaml": `goal: ${"x".repeat(1_000_001)}\n` },
  },
  { what: "tabs in the indentation", plan: planned("goal: g", "budget:", "\tusd: 5") },
  {
    what: "a quote that is not closed",
    plan: planned('goal: "make the value 2', "checks: [npm test]"),
  },
  { what: "a colon in plain text", plan: planned("goal: fix this: the value") },
  { what: "a list that is not closed", plan: planned("goal: g", "checks: [npm test") },
  { what: "the goal that init wrote", plan: planned("goal: Describe here what should be done") },
  { what: "no goal and no subtasks", plan: planned("checks: [npm test]") },
  { what: "an unknown key", plan: planned("goal: g", "budgt:", "  usd: 5") },
  { what: "an unknown key further in", plan: subtasks("  - id: a", "    promt: do it") },
  { what: "a key that is set twice", plan: planned("goal: g", "checks: [npm test]", "goal: h") },
  { what: "a wrong type", plan: planned("goal: g", "checks: npm test", "grounding: maybe") },
  { what: "a budget below zero", plan: planned("goal: g", "budget: { usd: -5 }") },
  { what: "a budget beyond reason", plan: planned("goal: g", "budget: { minutes: 1000000 }") },
  { what: "an empty check", plan: planned("goal: g", 'checks: [npm test, ""]') },
  {
    what: "a check whose program is not there",
    plan: planned("goal: g", "checks:", "  - npm test", "  - pytset -q"),
  },
  { what: "an unknown policy", plan: planned("goal: g", "policy: standrad") },
  {
    what: "a pipe outside a shell",
    plan: "goal: g\nagents:\n  mine:\n    command: claude -p {prompt} | tee log.txt\n",
  },
  {
    what: "an agent that the plan does not have",
    plan: "goal: g\nagents:\n  mine: { command: sh agent.sh }\nmodels:\n  - { agent: mien }\n",
  },
  {
    what: "a subtask id that is used twice",
    plan: subtasks("  - { id: parser, prompt: write it }", "  - { id: parser, prompt: use it }"),
  },
  {
    what: "an unknown dependency",
    plan: subtasks(
      "  - { id: parser, prompt: write it }",
      "  - { id: use, prompt: use it, dependsOn: [parsre] }",
    ),
  },
  {
    what: "dependencies in a circle",
    plan: subtasks(
      "  - { id: a, prompt: do a, dependsOn: [c] }",
      "  - { id: b, prompt: do b, dependsOn: [a] }",
      "  - { id: c, prompt: do c, dependsOn: [b] }",
    ),
  },
  { what: "a tier that no model has", plan: subtasks("  - { id: a, prompt: do a, tier: 9 }") },
  {
    what: "an answer whose schema is none",
    plan: subtasks(
      "  - id: a",
      "    prompt: do a",
      "    output:",
      "      type: object",
      "      properties:",
      "        name: { type: strin }",
    ),
  },

  { what: "no git repository", args: agent(WORKS), cwd: "nowhere" },
  { what: "a repository without a commit", args: agent(WORKS), cwd: "unborn" },
  { what: "a bare repository", args: agent(WORKS), cwd: "bare.git" },
  { what: "an unknown run", args: ["status", "nope"] },
  { what: "a part of several ids", args: ["status", "-"] },
  { what: "an unknown subtask", args: ["resume", "--retry", "gaol"] },
];
