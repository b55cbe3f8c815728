/** The command `unstuck`: finds the subcommand and loads only that. Only this file sets the exit code. */
import { Command, CommanderError } from "commander";
import {
  completeHelp,
  listCommands,
  expandHelpCommand,
  quietly,
  unknownCommand,
  usageError,
} from "./help.ts";
import { EXIT, reportError, watchOutput } from "./io.ts";
import { homeAnswers, homeFolder, isRemote } from "../operations/home.ts";
import { ProblemError } from "../operations/operation.ts";
import { VERSION } from "../operations/version.ts";

type Entry = readonly [summary: string, make: () => Promise<Command>];

const run = () => import("./commands/run.ts");
const statuses = () => import("./commands/status.ts");
const watch = () => import("./commands/watch.ts");
const answer = () => import("./commands/answer.ts");
const result = () => import("./commands/result.ts");
const advise = () => import("./commands/advise.ts");
const setup = () => import("./commands/setup.ts");
const serve = () => import("./commands/serve.ts");
const completion = () => import("./commands/completion.ts");
const fleet = () => import("./commands/fleet.ts");
const learning = () => import("./commands/learning.ts");

export const COMMANDS: Readonly<Record<string, Entry>> = {
  run: ["run a plan or a goal", async () => (await run()).run()],
  resume: ["continue a paused run", async () => (await run()).resume()],
  stop: ["stop a run gracefully; resume continues it", async () => (await run()).stop()],
  cancel: ["end a run for good", async () => (await run()).cancel()],
  status: ["list your runs, or show one in detail", async () => (await statuses()).status()],
  attach: ["watch a run that is going on elsewhere", async () => (await watch()).attach()],
  logs: ["show what an agent did", async () => (await import("./commands/logs.ts")).logs()],
  events: ["list everything recorded about a run", async () => (await watch()).events()],
  explain: [
    "say what was decided, and why",
    async () => (await import("./commands/explain.ts")).explain(),
  ],
  report: [
    "print a run as Markdown, HTML, JSON or JUnit XML",
    async () => (await import("./commands/report.ts")).report(),
  ],
  metrics: ["show how often recovery worked", async () => (await watch()).metrics()],
  export: ["print a run's attempts as JSON", async () => (await watch()).exportCommand()],
  import: ["read attempts that export wrote", async () => (await watch()).importCommand()],
  stats: ["show which recoveries worked here", async () => (await learning()).stats()],
  memory: ["show what is remembered of past failures", async () => (await learning()).memory()],
  inbox: ["list the questions that wait for you", async () => (await answer()).inbox()],
  notify: [
    "show or test how you are notified",
    async () => (await import("./commands/notify.ts")).notify(),
  ],
  review: [
    "go through your questions and answer them",
    async () => (await import("./commands/review.ts")).review(),
  ],
  resolve: ["answer one question from a script", async () => (await answer()).resolve()],
  diff: ["show what a run changed", async () => (await result()).diff()],
  apply: ["merge a run's result into your branch", async () => (await result()).apply()],
  pr: [
    "push a run's result and open a pull request",
    async () => (await import("./commands/pr.ts")).pr(),
  ],
  undo: ["take an apply back", async () => (await result()).undo()],
  serve: ["show your runs in the browser", async () => (await serve()).serve()],
  open: ["open your runs in the browser", async () => (await serve()).open()],
  token: ["let programs use unstuck serve", async () => (await serve()).token()],
  submit: ["hand a plan to a fleet of machines", async () => (await fleet()).submit()],
  worker: ["work for a fleet of machines", async () => (await fleet()).worker()],
  dev: ["try a fleet on this machine", async () => (await fleet()).dev()],
  workers: ["list the workers of a fleet", async () => (await fleet()).workers()],
  limit: [
    "limit what a fleet works on at a time",
    async () => (await import("./commands/limit.ts")).limit(),
  ],
  service: ["resume runs after a reboot", async () => (await setup()).service()],
  detect: [
    "say whether an agent is going in circles",
    async () => (await import("./commands/detect.ts")).detect(),
  ],
  clean: ["remove runs that have ended", async () => (await result()).clean()],
  classify: ["say what kind of failure an error is", async () => (await advise()).classify()],
  suggest: ["say what to try after an error", async () => (await advise()).suggest()],
  excerpt: ["show what matters in a failed check's output", async () => (await advise()).excerpt()],
  validate: ["check a model's answer or tool call", async () => (await advise()).validate()],
  doctor: ["check your setup", async () => (await setup()).doctor()],
  init: ["write a plan file to start from", async () => (await setup()).init()],
  mcp: ["offer tools to an agent, over MCP", async () => (await import("./commands/mcp.ts")).mcp()],
  hook: [
    "help an agent that you drive yourself",
    async () => (await import("./commands/hook.ts")).hook(),
  ],
  plan: ["let your agent write a plan", async () => (await import("./commands/plan.ts")).plan()],
  policy: ["show or check a recovery policy", async () => (await setup()).policy()],
  simulate: [
    "compare recovery policies in simulated worlds",
    async () => (await import("./commands/simulate.ts")).simulate(),
  ],
  completion: [
    "set up Tab completion for your shell",
    async () => (await completion()).completion(),
  ],
  __complete: ["", async () => (await completion()).complete(COMMANDS)],
};

/** Commands that change nothing; all others run to their end even if their output can no longer be read. */
const ONLY_READ: ReadonlySet<string> = new Set(
  (
    "status attach logs events explain report metrics export inbox diff detect classify suggest excerpt validate " +
    "doctor mcp hook policy simulate completion __complete"
  ).split(" "),
);

/** They need no home, or check it themselves. */
const ALWAYS_WORK: ReadonlySet<string> = new Set(
  "classify suggest excerpt validate policy simulate detect hook init completion __complete --version -V --help -h".split(
    " ",
  ),
);

const HELP_FLAGS: ReadonlySet<string> = new Set(["-h", "--help", "-V", "--version"]);

/** An argument with spaces is a goal, and so are flags without a command; a single word never is. */
const isGoal = ([first]: readonly string[]): boolean =>
  first !== undefined &&
  (first.trim() === "" || /\s/.test(first) || (first.startsWith("-") && !HELP_FLAGS.has(first)));

process.on("uncaughtException", (error) => process.exit(reportError(error)));
const asked = process.argv[2] ?? "";
watchOutput(
  ONLY_READ.has(asked) || !(Object.hasOwn(COMMANDS, asked) || isGoal(process.argv.slice(2))),
);

/** The launcher awaits this: a command that can never end is then an error, not a silent success. */
export const ended: Promise<void> = main(
  expandHelpCommand(process.argv, Object.keys(COMMANDS)),
).then((code) => {
  process.exitCode = code;
});

/** An unresponsive home would block the command for ever. */
async function refuseSilentHome(): Promise<void> {
  const home = homeFolder();
  if (isRemote(home) && !(await homeAnswers(home)))
    throw new ProblemError(
      "machine",
      `${home} does not answer: fix its mount, or set UNSTUCK_HOME to a folder of this machine`,
    );
}

async function main(argv: readonly string[]): Promise<number> {
  const name = argv[2] ?? "";
  let program = new Command("unstuck")
    .description(
      "Runs your coding agent until the work is verified, and gets it unstuck on the way.",
    )
    .version(VERSION, "-V, --version", "show the version");
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (isGoal(argv.slice(2))) {
      await refuseSilentHome();
      program = quietly((await import("./commands/goal.ts")).goal());
      await program.parseAsync(argv.slice(2), { from: "user" });
      return Number(process.exitCode ?? EXIT.ok);
    }
    if (entry === undefined && /^[^-]/.test(name) && name !== "help")
      throw unknownCommand(argv.slice(2), Object.keys(COMMANDS));
    if (entry !== undefined) program.addCommand(completeHelp(await entry[1](), entry[0]));
    else listCommands(program, COMMANDS);
    quietly(program);
    if (name === "") {
      await refuseSilentHome();
      if (await (await statuses()).showHere()) return EXIT.ok;
      program.help();
    }
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
