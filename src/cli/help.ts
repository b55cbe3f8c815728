/**
 * The help of the command: which group each command is shown in, and an example of each, one line that can be copied.
 * A command that no group names is shown last; a test says so. Names that begin with an underscore are for shells only.
 */
import type { Command } from "commander";

type Examples = Readonly<Record<string, string>>;

/** In the order of `unstuck --help`. A name of two words is a command of a command. */
export const HELP: Readonly<Record<string, Examples>> = {
  Start: {
    run: 'unstuck run --goal "add a login page" --agent claude --check "npm test"',
    plan: 'unstuck plan "add a login page"',
    resume: "unstuck resume",
    stop: "unstuck stop",
    cancel: "unstuck cancel 3d4477",
  },
  Watch: {
    status: "unstuck status",
    attach: "unstuck attach",
    open: "unstuck open",
    serve: "unstuck serve",
    logs: "unstuck logs -f",
    explain: "unstuck explain --subtask login",
    events: "unstuck events --follow",
    report: "unstuck report --format html > report.html",
    metrics: "unstuck metrics",
    stats: "unstuck stats",
    "stats show": "unstuck stats --json",
    "stats reset": "unstuck stats reset",
    "stats export": "unstuck stats export > stats.json",
    "stats import": "unstuck stats import stats.json",
    memory: "unstuck memory",
    "memory list": "unstuck memory list --json",
    "memory show": "unstuck memory show 3f2a",
    "memory forget": "unstuck memory forget 3f2a",
  },
  Decide: {
    review: "unstuck review",
    inbox: "unstuck inbox --all",
    notify: "unstuck notify test",
    "notify status": "unstuck notify --json",
    "notify test": "unstuck notify test slack",
    "notify send": "unstuck notify send",
    "notify answer": "unstuck notify answer token.txt",
    resolve: 'unstuck resolve login/c1 --retry "use the session cookie"',
  },
  Results: {
    diff: "unstuck diff | less",
    apply: "unstuck apply --dry-run",
    undo: "unstuck undo",
    pr: "unstuck pr --draft",
    clean: "unstuck clean --older-than 30",
  },
  "Set up": {
    doctor: "unstuck doctor",
    init: "unstuck init",
    completion: "unstuck completion bash",
    service: "unstuck service install",
    "service install": "unstuck service install --print",
    "service uninstall": "unstuck service uninstall",
    policy: "unstuck policy show adaptive",
    "policy show": "unstuck policy show hierarchical",
    "policy check": "unstuck policy check policy.yaml",
    "policy schema": "unstuck policy schema > policy.schema.json",
    simulate: "unstuck simulate --worlds 5 --chart policies.svg",
  },
  "More than one machine": {
    submit: "unstuck submit plan.yaml --repo git@example.com:team/app.git",
    worker: "unstuck worker --url http://engine:8080 --blobs s3://runs/blobs",
    workers: "unstuck workers",
    limit: "unstuck limit provider claude 8 30/min",
    dev: "unstuck dev",
  },
  "For agents and scripts": {
    hook: "unstuck hook install claude",
    "hook install": 'unstuck hook install claude --check "npm test"',
    "hook uninstall": "unstuck hook uninstall claude",
    token: "unstuck token list",
    "token create": "unstuck token create ci --days 30",
    "token list": "unstuck token list",
    "token revoke": "unstuck token revoke ci",
    mcp: "claude mcp add unstuck -- unstuck mcp",
    "mcp questions": "unstuck mcp questions",
    "mcp answer": 'unstuck mcp answer q-1f2e3d4c "use port 8080"',
    classify: "npm test 2>&1 | unstuck classify",
    suggest: "npm test 2>&1 | unstuck suggest",
    excerpt: "npm test 2>&1 | unstuck excerpt",
    detect: "unstuck detect --format claude transcript.jsonl",
    validate: "unstuck validate --schema answer.schema.json answer.json",
    export: "unstuck export > attempts.json",
    import: "unstuck import attempts.json",
  },
};

/** Words are wrapped in their column on a terminal of 40 columns too. */
const NARROW = { minWidthToWrap: 12 };

const END = `
Examples:
  $ unstuck "make the tests pass"
  $ unstuck status
  $ unstuck apply

unstuck help <command> shows its flags and an example,
unstuck "<goal>" --help the flags of a start.`;

/** Adds what `--help` of the whole lists: names and summaries, by group, with nothing loaded. */
export function listCommands(
  program: Command,
  commands: Readonly<Record<string, readonly [summary: string, ...unknown[]]>>,
): void {
  const grouped = Object.entries(HELP).flatMap(([group, examples]) =>
    Object.keys(examples).map((name) => [name, group] as const),
  );
  const groups = new Map(grouped.filter(([name]) => Object.hasOwn(commands, name)));
  for (const name of Object.keys(commands)) if (!groups.has(name)) groups.set(name, "Other");
  program
    .usage('"<goal>" [options]\n       unstuck <command> [options]')
    .helpOption("-h, --help", "show this")
    .helpCommand(false)
    .configureHelp(NARROW)
    .optionsGroup("Options:")
    .addHelpText("after", END);
  for (const [name, group] of groups)
    program
      .command(name, { hidden: name.startsWith("_") })
      .summary(commands[name]?.[0] ?? "")
      .helpGroup(`${group}:`);
}

/** What every command's help has: what it does, and an example; so has each command within it. */
export function completeHelp(command: Command, summary: string, name = command.name()): Command {
  if (command.description() === "")
    command.description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
  const examples = Object.values(HELP).map((group) => group[name]);
  const example = examples.find((text) => text !== undefined);
  if (example !== undefined) command.addHelpText("after", `\nExample:\n  $ ${example}`);
  for (const inner of command.commands)
    completeHelp(inner, inner.description(), `${name} ${inner.name()}`);
  return command.configureHelp(NARROW).helpOption("-h, --help", "show this");
}

/** `unstuck help run` is `unstuck run --help`; of a command that does not exist it is that command, which is refused. */
export function spelledOut(argv: readonly string[], names: readonly string[]): readonly string[] {
  const [node = "", program = "", first, name, ...more] = argv;
  if (first !== "help") return argv;
  if (name === undefined) return [node, program, "--help"];
  return [node, program, name, ...more, ...(names.includes(name) ? ["--help"] : [])];
}
