/**
 * Help and usage errors: the group in which each command is listed, with a one-line example to copy; and for a wrong
 * command line what is wrong, which name was probably meant, and where to look. Invariants: a command in no group is
 * listed last; names that begin with an underscore are for shells only; the parser's own error messages are never
 * shown.
 */
import type { Command, CommanderError } from "commander";
import { cleanLine, nearestName } from "../operations/text.ts";
import { UsageError } from "./read-input.ts";

type Examples = Readonly<Record<string, string>>;

/** In the order of `unstuck --help`. A name of two words is a subcommand. */
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

/** Text is wrapped in its column even on a terminal of 40 columns. */
const NARROW = { minWidthToWrap: 12 };

const END = `
Examples:
  $ unstuck "make the tests pass"
  $ unstuck status
  $ unstuck apply

unstuck help <command> shows its flags and an example,
unstuck "<goal>" --help the flags of a start.`;

/** Adds the list of commands to `--help`: names and summaries by group, without loading any command. */
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

/** Gives every command, and each of its subcommands, a summary and an example in its help. */
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

/** Turns `unstuck help run` into `unstuck run --help`; an unknown command stays as it is and is refused later. */
export function expandHelpCommand(
  argv: readonly string[],
  names: readonly string[],
): readonly string[] {
  const [node = "", program = "", first, name, ...more] = argv;
  if (first !== "help") return argv;
  if (name === undefined) return [node, program, "--help"];
  return [node, program, name, ...more, ...(names.includes(name) ? ["--help"] : [])];
}

/** Errors are thrown instead of printed: the caller reports them. */
export function quietly(command: Command): Command {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  for (const below of command.commands) quietly(below);
  return command;
}

/** `args`: as typed, without `unstuck` itself. */
export function usageError(
  { code, message }: CommanderError,
  program: Command,
  args: readonly string[],
): UsageError {
  const command = commandOf(program, args);
  const name = pathOf(command).join(" ");
  const quoted = cleanLine(/'([^']{0,300})'/.exec(message)?.[1] ?? "", 80);
  const help = `see ${["unstuck", ...pathOf(command), "--help"].join(" ")}`;
  switch (code) {
    case "commander.unknownOption": {
      const flag = quoted.split("=")[0] ?? "";
      const flags = command.options.map(({ long, short }) => long ?? short ?? "");
      return new UsageError(`unknown option '${flag}'${meant(flag, flags, help)}`);
    }
    case "commander.unknownCommand": {
      const names = command.commands.map((below) => below.name());
      return new UsageError(`unknown command '${quoted}'${meant(quoted, names, help)}`);
    }
    case "commander.optionMissingArgument": {
      const [flag = quoted] = quoted.split(" ");
      return new UsageError(`${flag} needs a value: ${quoted}`);
    }
    case "commander.missingArgument":
      return new UsageError(`${name} needs <${quoted}>: ${help}`);
    case "commander.excessArguments": {
      const most = command.registeredArguments.length;
      const extra = cleanLine(command.args.slice(most, most + 5).join(" "), 80);
      return new UsageError(
        `unexpected argument '${extra}' for ${name}: text that has spaces needs quotes`,
      );
    }
    default:
      return new UsageError(`this cannot be understood: ${help}`);
  }
}

/** For a word that is no command, and may be meant as a goal. */
export function unknownCommand(
  [name = "", ...more]: readonly string[],
  commands: readonly string[],
): UsageError {
  const near = nearestName(name, commands);
  const isPhrase = more.length > 0 && more.every((word) => !word.startsWith("-"));
  const asGoal = isPhrase
    ? `For a goal, put it in quotes: unstuck "${cleanLine([name, ...more].join(" "), 200)}"`
    : `For a goal of one word: unstuck -p ${cleanLine(name, 100)}`;
  const hint = near === undefined ? "" : `. Did you mean ${near}?`;
  return new UsageError(`unknown command '${cleanLine(name, 100)}'${hint}\n${asGoal}`);
}

const meant = (asked: string, names: readonly string[], help: string): string => {
  const near = nearestName(asked, names);
  return near === undefined ? `: ${help}` : `: did you mean ${near}?`;
};

/** The innermost command that the words name. */
function commandOf(program: Command, args: readonly string[]): Command {
  const [first, ...rest] = args;
  const below = program.commands.find((one) => one.name() === first);
  return below === undefined ? program : commandOf(below, rest);
}

/** Names of a command and its parents, without the program's own. */
const pathOf = (command: Command): readonly string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()];
