/**
 * `unstuck "make the tests pass"`: finds the agent and the checks, shows them, and starts. The first start in a
 * repository asks for consent; without a terminal anything ambiguous is refused, with the command line that settles it.
 */
import { Command } from "commander";
import { chooseAgent, findAgent } from "../../operations/goal/goal-agent.ts";
import { agreeToStart, prepareGoal } from "../../operations/goal/prepare-goal.ts";
import type { GoalAgent, PreparedGoal } from "../../operations/goal/schemas.ts";
import { ProblemError, type InputOf } from "../../operations/operation.ts";
import type { TryHappening } from "../../operations/setup/try-on-base.ts";
import { cleanLine } from "../../operations/text.ts";
import { EXIT, perform, styled, tell, textColumns, write, writeJson, type Flags } from "../io.ts";
import { readInput, UsageError, numberOf } from "../read-input.ts";
import { painted, wrapped } from "../screen/line.ts";
import { startCard } from "../screen/start-card.ts";
import { sameCommandWith } from "../same-command.ts";
import { canAsk, typedLines, isWanted } from "../typed-answers.ts";
import { startInTerminal } from "./run.ts";

const COMMANDS_MOST = 4000;

type GoalFlags = Flags<{
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly agent?: string;
  /** False: start without checks. */
  readonly checks: boolean;
  readonly check?: readonly string[];
  readonly setup?: readonly string[] | false;
  readonly carry?: readonly string[];
  readonly policy?: string;
  readonly budget?: string;
  readonly withChanges?: boolean;
  readonly inPlace?: boolean;
  readonly fullPermissions?: boolean;
  readonly detach?: boolean;
  readonly yes?: boolean;
}>;

const collected = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];

export function goal(): Command {
  return new Command("unstuck")
    .description(
      "Works on a goal in this repository, with your coding agent, until its checks pass.",
    )
    .usage('"<goal>" [options]')
    .argument("[goal]", "what to do, in words; - reads it from standard input")
    .option("-p, --prompt <text>", "the goal, also a single word; - reads it from standard input")
    .option("--prompt-file <file>", "read the goal from a file")
    .option("--agent <name>", "an agent's name, or a command with {prompt}")
    .option("--check <command>", "must pass; use it again for more", collected)
    .option("--no-checks", "start although nothing can be verified")
    .option("--setup <command>", "prepares each working tree; use it again for more", collected)
    .option("--no-setup", "prepare nothing")
    .option("--carry <path>", "untracked path to copy into each working tree", collected)
    .option("--policy <name>", "how it recovers: adaptive, a preset or a file")
    .option("--budget <dollars>", "the most it may cost")
    .option("--with-changes", "start from your files with their uncommitted changes")
    .option("--in-place", "work in this checkout itself; unstuck undo takes it back")
    .option("--full-permissions", "let the agent run without its own permission checks")
    .option("--detach", "run in the background; watch it with unstuck attach")
    .option("-y, --yes", "do not ask before the start")
    .option("--json", "what was found, then the run's events and its result, as JSON lines")
    .action(async (words: string | undefined, flags: GoalFlags) => {
      process.exitCode = await start(words, flags).catch(withCommandLine);
    });
}

async function start(words: string | undefined, flags: GoalFlags): Promise<number> {
  const { json = false, yes = false, inPlace = false } = flags;
  const isAsking = canAsk() && !json;
  const goal = await goalOf(words, flags);
  const agent = await agentFor(flags, isAsking);
  const prepared = await prepare({
    ...{ goal, agent, checks: flags.check, noChecks: !flags.checks, yes, canAsk: isAsking },
    setup: flags.setup === false ? [] : flags.setup,
    withChanges: flags.withChanges,
    inPlace,
    usd: numberOf("budget", flags.budget, 0.01, 1e6, false),
  });
  if (json) writeJson(prepared);
  else show(prepared, inPlace);
  if (!prepared.agreed) {
    if (!(await isWanted("Start?"))) {
      tell(
        "Not started. Change it with --agent, --check or --budget, or write a plan: unstuck init",
      );
      return EXIT.needsPerson;
    }
    await perform(agreeToStart, { mark: prepared.mark });
  }
  const { carry, policy, withChanges, fullPermissions, setup } = flags;
  return startInTerminal(json, {
    ...{ planText: prepared.plan, carry, policy, withChanges, inPlace, fullPermissions },
    setup: setup === false ? [] : setup,
    measured: prepared.measured,
    detach: flags.detach === true ? ["run", "--trust", ...repeated(flags)] : undefined,
  });
}

async function goalOf(
  words: string | undefined,
  { prompt, promptFile }: GoalFlags,
): Promise<string> {
  const given = [words, prompt, promptFile].filter((one) => one !== undefined);
  if (given.length > 1) throw new UsageError("give the goal once: in words, with -p or in a file");
  if (given.length === 0) throw new UsageError('give a goal: unstuck "make the tests pass"');
  if (promptFile !== undefined) return readInput(promptFile);
  const typed = words ?? prompt ?? "";
  return typed === "-" ? readInput("-") : typed;
}

async function agentFor({ agent: named }: GoalFlags, isAsking: boolean): Promise<GoalAgent> {
  const { agent, others } = await perform(findAgent, { agent: named });
  if (agent !== undefined) return agent;
  if (!isAsking)
    throw new ProblemError("bad-input", "several agents are ready here: name one", {
      next: others.map((one) => `--agent ${one.agent} --yes`).join("\n"),
    });
  const chosen = await chosenFrom(others);
  const { file } = await perform(chooseAgent, { agent: chosen.agent });
  tell(`Remembered in ${file}; --agent uses another one.`);
  return chosen;
}

async function chosenFrom(agents: readonly GoalAgent[]): Promise<GoalAgent> {
  write("Which agent should do the work?");
  for (const [index, { title, version = "" }] of agents.entries())
    write(`  ${index + 1}  ${title} ${cleanLine(version, 40)}`);
  const reading = typedLines();
  try {
    for (;;) {
      const typed = (await reading.ask(`1-${agents.length} [1]: `))?.trim();
      if (typed === undefined) throw new UsageError("no agent chosen: name one with --agent");
      const chosen =
        agents[typed === "" ? 0 : Number(typed) - 1] ??
        agents.find(({ agent }) => agent === typed.toLowerCase());
      if (chosen !== undefined) return chosen;
    }
  } finally {
    reading.close();
  }
}

/** Ctrl-C ends what is running and leaves nothing behind. */
async function prepare(input: InputOf<typeof prepareGoal>): Promise<PreparedGoal> {
  const stopping = new AbortController();
  const onSignal = (): void => stopping.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  let isFirst = true;
  try {
    return await perform(prepareGoal, input, {
      signal: stopping.signal,
      on: (happening) => {
        const words = preparingText(happening, isFirst, input.withChanges === true);
        if (words !== undefined) say(words);
        isFirst = false;
      },
    });
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

function preparingText(
  happening: TryHappening,
  isFirst: boolean,
  withChanges: boolean,
): string | undefined {
  const opening = isFirst
    ? "Running the checks once before any work, to see what already fails\n"
    : "";
  switch (happening.kind) {
    case "about-to-run":
      return cleanLine(
        "About to run this repository's own commands once, in a copy of your " +
          `${withChanges ? "files" : "last commit"}, to see what already fails: ${happening.commands.join("; ")}`,
        COMMANDS_MOST,
      );
    case "set-up":
      return `${opening}  installing: ${cleanLine(happening.commands.join("; "), 300)}`;
    case "check-started":
      return `${opening}  running: ${cleanLine(happening.run, 300)}`;
    case "check-ended":
      return undefined;
  }
}

const say = (words: string): void =>
  tell(
    words
      .split("\n")
      .flatMap((line) => wrapped(line, textColumns()))
      .join("\n"),
  );

function show(prepared: PreparedGoal, inPlace: boolean): void {
  const lines = startCard(prepared, { columns: textColumns(), inPlace });
  write(["", ...lines.map((line) => painted(line, styled).trimEnd()), ""].join("\n"));
}

/** Flags that a background process needs besides the plan. */
const repeated = (flags: GoalFlags): readonly string[] => [
  ...(flags.withChanges === true ? ["--with-changes"] : []),
  ...(flags.inPlace === true ? ["--in-place"] : []),
  ...(flags.fullPermissions === true ? ["--full-permissions"] : []),
  ...(flags.json === true ? ["--json"] : []),
  ...(flags.policy === undefined ? [] : ["--policy", flags.policy]),
  ...(flags.carry ?? []).flatMap((path) => ["--carry", path]),
  ...(flags.setup === false ? ["--no-setup"] : []),
  ...(flags.setup || []).flatMap((command) => ["--setup", command]),
];

/** A refusal for lack of a terminal includes the command line that needs none. */
function withCommandLine(error: unknown): never {
  if (!(error instanceof ProblemError) || error.problem.next === undefined) throw error;
  const { code, message, next } = error.problem;
  const lines = next.split("\n").map((flags) => `  ${sameCommandWith([])} ${flags}`);
  throw new ProblemError(code, `${message}:\n${lines.join("\n")}`);
}
