/**
 * `unstuck plan`: the user's agent writes a plan from a goal, a document, standard input or open issues; the plan is
 * shown, and written only after a yes. Without a terminal to ask on, it is refused before the agent starts, with the
 * command that would work. Ctrl-C stops the agent or the checks.
 */
import { Command } from "commander";
import type { InputOf, OutputOf } from "../../operations/operation.ts";
import {
  acceptPlan,
  planPlace,
  type AcceptHappening,
} from "../../operations/planning/accept-plan.ts";
import { ASKED_AGAIN_MAX } from "../../operations/planning/ask-for-plan.ts";
import { draftPlan, type PlanHappening } from "../../operations/planning/draft-plan.ts";
import { cleanLine } from "../../operations/text.ts";
import { EXIT, perform, styled, tell, textColumns, write, writeJson, type Flags } from "../io.ts";
import { readInput, UsageError } from "../read-input.ts";
import { painted, wrapped } from "../screen/line.ts";
import { planLines } from "../screen/plan-tree.ts";
import { triedLines } from "../screen/found-checks.ts";
import { canAsk, typedLines } from "../typed-answers.ts";
import { sameCommandWith, shellWord } from "../same-command.ts";

type Drafted = OutputOf<typeof draftPlan>;

interface PlanFlags extends Flags {
  readonly from?: string;
  readonly fromIssues?: boolean;
  readonly label?: string;
  readonly limit?: string;
  readonly agent?: string;
  readonly budget?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export function plan(): Command {
  return new Command("plan")
    .description(
      "Lets your agent write a plan: subtasks, what they depend on, and a check for each. You see all of it before anything is written.",
    )
    .argument("[goal]", "what is to be done; - reads it from standard input")
    .option("--from <file>", "plan what this document describes; - for standard input")
    .option("--from-issues", "plan the open issues of this repository (needs gh)")
    .option("--label <name>", "with --from-issues: only issues with this label")
    .option("--limit <n>", "with --from-issues: at most so many (default: 20)")
    .option("--agent <agent>", "the agent that writes the plan and will do the work")
    .option("--budget <usd>", "the most that a run of the plan may cost, in dollars")
    .option("--output <file>", "write the plan here (default: unstuck.yaml)")
    .option("--force", "overwrite an existing file")
    .option("--dry-run", "only show the plan")
    .option("-y, --yes", "write the plan without asking, and trust its commands")
    .option("--json", "as JSON")
    .action(async (goal: string | undefined, flags: PlanFlags) => {
      process.exitCode = await planned(goal, flags);
    });
}

async function planned(goal: string | undefined, flags: PlanFlags): Promise<number> {
  const { output, json = false, dryRun = false } = flags;
  const input = await inputOf(goal, flags);
  const place = await perform(planPlace, { output });
  refuseUnasked(flags, place);
  const isAsked = !dryRun && flags.yes !== true;
  for (let change: Change | undefined; ;) {
    const asked = { ...input, change };
    const drafted = await stoppable((signal) =>
      perform(draftPlan, asked, { signal, on: tellAsked }),
    );
    if (drafted === undefined) {
      tell("Stopped; nothing was written.");
      return EXIT.paused;
    }
    if (!json) showPlan(drafted);
    const answer = isAsked ? await answerTo(place) : "yes";
    if (answer === "no") {
      write("Nothing was written.");
      return EXIT.needsPerson;
    }
    if (answer === "yes") return finished(drafted, place, flags);
    change = { plan: drafted.text, words: answer.words };
  }
}

async function finished(drafted: Drafted, place: Place, flags: PlanFlags): Promise<number> {
  const { output, json = false, dryRun = false, force = false } = flags;
  if (dryRun) {
    if (json) writeJson(drafted);
    else write(`${styled("bold", `${place.file} would be:`)}\n\n${drafted.text.trimEnd()}`);
    return EXIT.ok;
  }
  const accept = { text: drafted.text, output, force: force || place.exists };
  const accepted = await stoppable((signal) =>
    perform(acceptPlan, accept, { signal, on: json ? () => undefined : showAccepted }),
  );
  if (json) writeJson({ ...drafted, ...accepted });
  else {
    const next = output === undefined ? "unstuck run" : `unstuck run ${shellWord(place.file)}`;
    write(`\nNext: ${styled("bold", next)}`);
  }
  return EXIT.ok;
}

type Change = NonNullable<InputOf<typeof draftPlan>["change"]>;

/** Shorter input is a slip of the finger, not a request for a change. */
const WISH_CHARS = 6;

/** Anything but a yes is a no, or a description of what to change. */
async function answerTo({ file, exists }: Place): Promise<"yes" | "no" | Pick<Change, "words">> {
  const told = "A yes lets its commands run on this machine. Or type what to change.";
  for (const line of wrapped(told, textColumns())) write(line);
  const reading = typedLines();
  try {
    const question = `${exists ? "Overwrite" : "Write"} ${cleanLine(file, 60)}? [y/N] `;
    const words = (await reading.ask(question))?.trim() ?? "";
    if (/^y(?:es)?$/i.test(words)) return "yes";
    return words.length < WISH_CHARS ? "no" : { words };
  } finally {
    reading.close();
  }
}

async function inputOf(
  goal: string | undefined,
  flags: PlanFlags,
): Promise<InputOf<typeof draftPlan>> {
  const { from, fromIssues, label, limit, agent, budget } = flags;
  if (goal === undefined && from === undefined && fromIssues !== true)
    throw new UsageError(
      'what is to be planned? unstuck plan "what should be done", --from PRD.md, or --from-issues',
    );
  if (goal === "-" && from !== undefined)
    throw new UsageError("- and --from both name a document: give one of them");
  if (fromIssues !== true && (label ?? limit) !== undefined)
    throw new UsageError("--label and --limit go with --from-issues");
  const file = goal === "-" ? "-" : from;
  const name = file === "-" ? "Standard input" : (file ?? "");
  return {
    ...(goal === undefined || goal === "-" ? {} : { goal }),
    ...(file === undefined ? {} : { document: { name, text: await readInput(file) } }),
    ...(fromIssues === true ? { issues: { label, limit: numberOf("limit", limit, 100) } } : {}),
    agent,
    usd: numberOf("budget", budget, 1_000_000),
  };
}

function numberOf(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value > 0 && value <= most && (name !== "limit" || Number.isInteger(value))) return value;
  throw new UsageError(
    `--${name}: expected a number from 1 to ${most}, got ${cleanLine(text, 40)}`,
  );
}

type Place = OutputOf<typeof planPlace>;

/** An agent costs money, so anything that would prevent writing the plan is reported before it works. */
function refuseUnasked({ yes, dryRun, force, json }: PlanFlags, { file, exists }: Place): void {
  const isUnasked = yes === true || json === true || !canAsk();
  if (dryRun === true || !isUnasked) return;
  const isInTheWay = exists && force !== true;
  if (yes === true && !isInTheWay) return;
  const flags = [...(yes === true ? [] : ["--yes"]), ...(isInTheWay ? ["--force"] : [])];
  const why = isInTheWay
    ? `${cleanLine(file, 200)} already exists`
    : "there is no terminal to ask you whether the plan is right";
  throw new UsageError(
    `${why}; nothing was started. To write it anyway:\n  ${sameCommandWith(flags)}\nOnly to see it:\n  ${sameCommandWith(["--dry-run"])}`,
  );
}

function tellAsked(happening: PlanHappening): void {
  const text =
    happening.kind === "asked"
      ? `Asking ${cleanLine(happening.agent, 60)} for a plan, in a copy of this repository. Ctrl-C stops it.`
      : `Not a usable plan yet; asking again (${happening.time} of ${ASKED_AGAIN_MAX}):`;
  const problems = happening.kind === "asked" ? [] : happening.problems;
  for (const line of [text, ...problems.map((problem) => `  ${cleanLine(problem, 300)}`)])
    tell(wrapped(line, textColumns()).join("\n"));
}

function showPlan(drafted: Drafted): void {
  write("");
  for (const line of planLines(drafted, textColumns())) write(painted(line, styled));
  if (drafted.usd !== undefined) write(`Writing the plan cost $${drafted.usd.toFixed(2)}.`);
  write("");
}

function showAccepted(happening: AcceptHappening): void {
  if (happening.kind === "tried")
    for (const line of triedLines(happening.check, textColumns())) write(painted(line, styled));
  else
    for (const text of [
      `Wrote ${cleanLine(happening.file, 200)}.`,
      "Running its checks once on your last commit, to see what fails before any work:",
    ])
      write(wrapped(text, textColumns()).join("\n"));
}

/** Ctrl-C ends the work in progress and nothing else; the result is then undefined. */
async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  try {
    return await work(stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) return undefined;
    throw error;
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
}
