/** The command `unstuck`: finds the subcommand and loads only that. Only this file sets the exit code. */
import { Command, CommanderError } from "commander";
import { EXIT, reportError, watchOutput } from "./io.ts";
import { homeAnswers, homeFolder, isRemote } from "../operations/home.ts";
import { ProblemError } from "../operations/operation.ts";
import { VERSION } from "../operations/version.ts";
import { quietly, usageError } from "./usage-words.ts";

type Entry = readonly [summary: string, make: () => Promise<Command>];

const run = () => import("./commands/run.ts");
const watch = () => import("./commands/watch.ts");
const answer = () => import("./commands/answer.ts");
const result = () => import("./commands/result.ts");
const advise = () => import("./commands/advise.ts");
const setup = () => import("./commands/setup.ts");

const COMMANDS: Readonly<Record<string, Entry>> = {
  run: ["run a plan through an agent", async () => (await run()).run()],
  resume: ["go on with a run", async () => (await run()).resume()],
  stop: ["pause a run", async () => (await run()).stop()],
  cancel: ["end a run for good", async () => (await run()).cancel()],
  status: ["the runs, or one run in detail", async () => (await watch()).status()],
  attach: ["watch a run that goes on elsewhere", async () => (await watch()).attach()],
  events: ["what is recorded of a run", async () => (await watch()).events()],
  explain: ["why it was decided so", async () => (await watch()).explain()],
  report: ["a run or a subtask as Markdown", async () => (await watch()).report()],
  metrics: ["how well recovery works", async () => (await watch()).metrics()],
  export: ["a run's attempts or episodes as JSON", async () => (await watch()).exportCommand()],
  import: ["take over attempt history or episodes", async () => (await watch()).importCommand()],
  inbox: ["open questions of all runs", async () => (await answer()).inbox()],
  review: [
    "look at open questions and answer them",
    async () => (await import("./commands/review.ts")).review(),
  ],
  resolve: ["answer a question of a run", async () => (await answer()).resolve()],
  diff: ["what a run changed", async () => (await result()).diff()],
  apply: ["take a run's result over", async () => (await result()).apply()],
  undo: ["take an apply back", async () => (await result()).undo()],
  service: ["resume runs after a reboot", async () => (await setup()).service()],
  detect: [
    "does this agent go in circles?",
    async () => (await import("./commands/detect.ts")).detect(),
  ],
  clean: ["remove ended runs", async () => (await result()).clean()],
  classify: ["what kind of failure is this?", async () => (await advise()).classify()],
  suggest: ["the repair plan for a failure", async () => (await advise()).suggest()],
  excerpt: ["what matters of a failed check's output", async () => (await advise()).excerpt()],
  validate: ["check a model's answer or tool call", async () => (await advise()).validate()],
  doctor: ["what is there, and what to fix", async () => (await setup()).doctor()],
  init: ["write a plan file to begin with", async () => (await setup()).init()],
  mcp: ["tools for an agent, over MCP", async () => (await import("./commands/mcp.ts")).mcp()],
  hook: ["help from inside an agent", async () => (await import("./commands/hook.ts")).hook()],
  policy: ["show or check a recovery policy", async () => (await setup()).policy()],
};

/** They show something and change nothing; all others go on when nobody reads their output any more. */
const ONLY_READ: ReadonlySet<string> = new Set(
  (
    "status attach events explain report metrics export inbox diff detect classify suggest excerpt validate " +
    "doctor mcp hook policy"
  ).split(" "),
);

/** They need no home, or look after it themselves. */
const ALWAYS_WORK: ReadonlySet<string> = new Set(
  "classify suggest excerpt validate policy detect hook init --version -V --help -h".split(" "),
);

process.on("uncaughtException", (error) => process.exit(reportError(error)));
const asked = process.argv[2] ?? "";
watchOutput(ONLY_READ.has(asked) || !Object.hasOwn(COMMANDS, asked));

process.exitCode = await main(process.argv);

/** A home that does not answer would hold the command up for ever. */
async function refuseSilentHome(): Promise<void> {
  const home = homeFolder();
  if (isRemote(home) && !(await homeAnswers(home)))
    throw new ProblemError(
      "machine",
      `${home} does not answer: mend its mount, or set UNSTUCK_HOME to a folder of this machine`,
    );
}

async function main(argv: readonly string[]): Promise<number> {
  const name = argv[2] ?? "";
  const program = new Command("unstuck")
    .description("Keeps autonomous coding agents moving.")
    .version(VERSION);
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (entry !== undefined) program.addCommand(await entry[1]());
    else
      for (const [other, [summary]] of Object.entries(COMMANDS))
        program.command(other).summary(summary);
    quietly(program);
    if (name === "") program.help();
    if (!ALWAYS_WORK.has(name)) await refuseSilentHome();
    await program.parseAsync(argv);
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportError(error);
    if (error.exitCode === 0) return EXIT.ok;
    if (error.code === "commander.help") return EXIT.badInput;
    return reportError(usageError(error, program, argv.slice(2)));
  }
}
