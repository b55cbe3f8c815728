/** The command `unstuck`: finds the subcommand and loads only that. Only this file sets the exit code. */
import { Command, CommanderError } from "commander";
import { EXIT } from "./exit-codes.ts";
import { answers, isRemote } from "../operations/home-mount.ts";
import { homeFolder } from "../operations/home.ts";
import { reportError } from "./io.ts";
import { ProblemError } from "../operations/operation.ts";
import { watchOutput } from "./lost-output.ts";
import { VERSION } from "./version.ts";

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: () => Command }>;
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  run: { summary: "run a plan through an agent", load: () => import("./commands/run.ts") },
  resume: { summary: "go on with a run", load: () => import("./commands/resume.ts") },
  stop: { summary: "pause a run", load: () => import("./commands/stop.ts") },
  cancel: { summary: "end a run for good", load: () => import("./commands/cancel.ts") },
  status: { summary: "the runs, or one run in detail", load: () => import("./commands/status.ts") },
  attach: {
    summary: "watch a run that goes on elsewhere",
    load: () => import("./commands/attach.ts"),
  },
  events: { summary: "what is recorded of a run", load: () => import("./commands/events.ts") },
  explain: {
    summary: "why it was decided so",
    load: () => import("./commands/explain.ts"),
  },
  report: {
    summary: "a run or a subtask as Markdown",
    load: () => import("./commands/report.ts"),
  },
  metrics: { summary: "how well recovery works", load: () => import("./commands/metrics.ts") },
  export: {
    summary: "a run's attempts or episodes as JSON",
    load: () => import("./commands/export.ts"),
  },
  import: {
    summary: "take over attempt history or episodes",
    load: () => import("./commands/import.ts"),
  },
  inbox: {
    summary: "open questions of all runs",
    load: async () => ({ command: (await import("./commands/answers.ts")).inbox }),
  },
  review: {
    summary: "look at open questions and answer them",
    load: () => import("./commands/review.ts"),
  },
  resolve: {
    summary: "answer a question of a run",
    load: async () => ({ command: (await import("./commands/answers.ts")).resolve }),
  },
  diff: {
    summary: "what a run changed",
    load: async () => ({ command: (await import("./commands/result.ts")).diff }),
  },
  apply: {
    summary: "take a run's result over",
    load: async () => ({ command: (await import("./commands/result.ts")).applyCommand }),
  },
  undo: {
    summary: "take an apply back",
    load: async () => ({ command: (await import("./commands/result.ts")).undo }),
  },
  service: {
    summary: "resume runs after a reboot",
    load: () => import("./commands/service.ts"),
  },
  detect: {
    summary: "does this agent go in circles?",
    load: () => import("./commands/detect.ts"),
  },
  clean: { summary: "remove ended runs", load: () => import("./commands/clean.ts") },
  classify: {
    summary: "what kind of failure is this?",
    load: () => import("./commands/classify.ts"),
  },
  suggest: {
    summary: "the repair plan for a failure",
    load: () => import("./commands/suggest.ts"),
  },
  validate: {
    summary: "check a model's answer or tool call",
    load: () => import("./commands/validate.ts"),
  },
  doctor: { summary: "what is there, and what to fix", load: () => import("./commands/doctor.ts") },
  init: { summary: "write a plan file to begin with", load: () => import("./commands/init.ts") },
  mcp: { summary: "tools for an agent, over MCP", load: () => import("./commands/mcp.ts") },
  hook: { summary: "help from inside an agent", load: () => import("./commands/hook.ts") },
  policy: {
    summary: "show or check a recovery policy",
    load: () => import("./commands/policy.ts"),
  },
};

/** They show something and change nothing; all others go on when nobody reads their output any more. */
const ONLY_READ: ReadonlySet<string> = new Set(
  (
    "status attach events explain report metrics export inbox diff detect classify suggest validate " +
    "doctor mcp hook policy"
  ).split(" "),
);

/** They need no home, or look after it themselves. */
const ALWAYS_WORK: ReadonlySet<string> = new Set(
  "classify suggest validate policy detect hook init --version -V --help -h".split(" "),
);

process.on("uncaughtException", (error) => process.exit(reportError(error)));
const asked = process.argv[2] ?? "";
watchOutput(ONLY_READ.has(asked) || !Object.hasOwn(COMMANDS, asked));

process.exitCode = await main(process.argv);

/** A home that does not answer would hold the command up for ever. */
async function refuseSilentHome(): Promise<void> {
  const home = homeFolder();
  if (isRemote(home) && !(await answers(home)))
    throw new ProblemError(
      "machine",
      `${home} does not answer: mend its mount, or set UNSTUCK_HOME to a folder of this machine`,
    );
}

async function main(argv: readonly string[]): Promise<number> {
  const name = argv[2] ?? "";
  const program = new Command("unstuck")
    .description("Keeps autonomous coding agents moving.")
    .version(VERSION)
    .exitOverride()
    .showSuggestionAfterError();
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (entry !== undefined) program.addCommand((await entry.load()).command().exitOverride());
    else
      for (const [other, { summary }] of Object.entries(COMMANDS))
        program.command(other).summary(summary);
    if (name === "") program.help();
    if (!ALWAYS_WORK.has(name)) await refuseSilentHome();
    await program.parseAsync(argv);
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
    return reportError(error);
  }
}
