/**
 * `unstuck classify`, `suggest`, `excerpt`, `validate`: what failed, what to try, the relevant part of a check's
 * output, and whether a model's answer is valid (exit 0 valid, 1 invalid, 2 bad input). Evidence comes from flags, a
 * file, a pipe, or as one JSON object per line.
 */
import { Command } from "commander";
import {
  BASIC_TOOLS,
  classifyFailure,
  suggestRepair,
  validateAnswer,
} from "../../operations/advice/advice.ts";
import type { AnswerVerdict, EvidenceInput, RepairPlan } from "../../operations/advice/advice.ts";
import { describeFailure } from "../../operations/advice/evidence.ts";
import { excerptOutput } from "../../operations/advice/excerpt.ts";
import { cleanLine } from "../../operations/text.ts";
import {
  EXIT,
  linesOf,
  parseJson,
  perform,
  readJsonFile,
  styled,
  tell,
  write,
  writeJson,
} from "../io.ts";
import { inputChunks, readInput, UsageError } from "../read-input.ts";

export function classify(): Command {
  return evidenceCommand("classify")
    .description("Says what kind of failure it is, how sure that is, and which line decided it.")
    .option("--json", "one JSON object")
    .option("--jsonl", "each input line is one evidence, each output line its failure")
    .action((file: string | undefined, flags: EvidenceFlags) =>
      advise(
        file,
        flags,
        (input) => perform(classifyFailure, input),
        (failure) => describeFailure(failure, styled),
      ),
    );
}

export function suggest(): Command {
  return evidenceCommand("suggest")
    .description("Says what to try, in which order, with this failure's own values filled in.")
    .option("--tools <names>", "tools the agent has, separated by commas", BASIC_TOOLS.join(","))
    .option("--sandbox <dir>", "where files may be written; default: TOOLS_FS_ROOT or this folder")
    .option("--json", "one JSON object in the shape of a repair plan")
    .option("--jsonl", "each input line is one evidence, each output line its repair plan")
    .action(
      (file: string | undefined, flags: EvidenceFlags & { tools: string; sandbox?: string }) => {
        const { sandbox } = flags;
        const tools = flags.tools.split(",").flatMap((name) => name.trim() || []);
        return advise(
          file,
          flags,
          (input) => perform(suggestRepair, { ...input, tools, sandbox }),
          planText,
        );
      },
    );
}

const FIELDS = ["tool", "command", "exitCode", "signal", "errno", "httpStatus", "message"] as const;

type EvidenceFlags = { readonly [field in (typeof FIELDS)[number]]?: string } & {
  readonly json?: boolean;
  readonly jsonl?: boolean;
};

const evidenceCommand = (name: string): Command =>
  new Command(name)
    .argument("[file]", "a log, or evidence as JSON; default: standard input")
    .option("--tool <name>", "what ran: run_bash, llm, agent_cli, tool_call, http")
    .option("--command <line>", "the command that failed")
    .option("--exit-code <n>", "its exit code")
    .option("--signal <name>", "the signal that ended it")
    .option("--errno <name>", "system error name such as ENOSPC")
    .option("--http-status <n>", "HTTP status")
    .option("--message <text>", "the error message");

/** One answer for all evidence, or with `--jsonl` one per line, with the line's id. */
async function advise<Answer extends object>(
  file: string | undefined,
  flags: EvidenceFlags,
  answerTo: (input: EvidenceInput) => Promise<Answer>,
  textOf: (answer: Answer) => string,
): Promise<void> {
  if (flags.jsonl !== true) {
    const answer = await answerTo(await evidenceInput(file, flags));
    return flags.json === true ? writeJson(answer) : write(textOf(answer));
  }
  await eachLine(file, answerTo);
}

async function eachLine<Answer extends object>(
  file: string | undefined,
  answerTo: (input: EvidenceInput) => Promise<Answer>,
): Promise<void> {
  for await (const { line, text } of linesOf(inputChunks(file, true))) {
    if (text.trim() === "") continue;
    const called = `line ${line}`;
    const fields = parseJson(text, called);
    const id = (fields as { id?: unknown } | null)?.id;
    writeJson({ id, ...(await answerTo({ fields, called })) });
  }
}

async function evidenceInput(
  file: string | undefined,
  flags: EvidenceFlags,
): Promise<EvidenceInput> {
  const given = FIELDS.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]]));
  const isEnough = given.length > 0 && file === undefined && process.stdin.isTTY;
  const text = isEnough ? "" : await readInput(file);
  return { text, fields: Object.fromEntries(given) as object };
}

function planText(plan: RepairPlan): string {
  const blocks = [plan, ...plan.alternatives].map(({ strategy, confidence, steps }, index) => {
    const title = styled("cyan", `${index + 1}. ${strategy.replaceAll("_", " ")}`);
    const sure = styled("dim", `confidence ${confidence.toFixed(2)}`);
    return [`${title}  ${sure}`, ...steps.flatMap(stepLines)].join("\n");
  });
  return [`${styled("bold", plan.kind)}: what to try, in this order`, ...blocks].join("\n\n");
}

function stepLines({ action, needsPermission, args }: RepairPlan["steps"][number]): string[] {
  const permission = needsPermission === undefined ? "" : ` (needs permission: ${needsPermission})`;
  const first = `   - ${cleanLine(action, 300)}${permission}`;
  const script = args["script"] ?? args["command"];
  if (typeof script === "string")
    return [first, ...script.split("\n").map((line) => `       $ ${cleanLine(line, 400)}`)];
  const { questions, ...rest } = args;
  const asked = Array.isArray(questions) ? questions.map(String) : [];
  const others = Object.entries(rest).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name}: ${cleanLine(text, 400)}`;
  });
  const lines = [...asked.map((question) => cleanLine(question, 400)), ...others];
  return [first, ...lines.map((line) => `       ${line}`)];
}

interface ExcerptFlags {
  readonly budget: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

export function excerpt(): Command {
  return new Command("excerpt")
    .description(
      "Shows what matters of a failed check's output: what failed, expected and got, where. " +
        "Exit 0: it was read; 2: bad input.",
    )
    .argument("[file]", "what the check printed; default: standard input")
    .option("--budget <n>", "characters of the excerpt; the first failure is always whole", "1500")
    .option("--json", "one JSON object: kind, headline, excerpt, items")
    .option("--jsonl", "each input line is {id, command, exitCode, stdout, stderr}")
    .action(async (file: string | undefined, flags: ExcerptFlags) => {
      const budget = Number(flags.budget);
      if (!(Number.isInteger(budget) && budget >= 200 && budget <= 100_000))
        throw new UsageError("--budget takes a number of characters from 200 to 100000");
      const toldOf = (input: EvidenceInput) => perform(excerptOutput, { ...input, budget });
      if (flags.jsonl === true) return eachLine(file, toldOf);
      const told = await toldOf({ fields: { stdout: await readInput(file) } });
      if (flags.json === true) writeJson(told);
      else write(told.excerpt || "Nothing in it says anything failed.");
    });
}

interface ValidateFlags {
  readonly schema?: string;
  readonly tools?: string;
  readonly json?: boolean;
}

export function validate(): Command {
  return new Command("validate")
    .description(
      "Checks an answer that should be JSON, or a tool call, before it is accepted or executed.",
    )
    .argument("[file]", "the answer; default: standard input")
    .option("--schema <file>", "JSON Schema the answer must fit")
    .option("--tools <file>", "tools (own, MCP, Anthropic or OpenAI shape) a call must fit")
    .option("--json", "verdict as one JSON object")
    .action(async (file: string | undefined, flags: ValidateFlags) => {
      if (flags.schema !== undefined && flags.tools !== undefined)
        throw new UsageError("--schema and --tools exclude each other");
      const [schema, tools] = [flags.schema, flags.tools].map((name) =>
        name === undefined ? undefined : readJsonFile(name),
      );
      const answer = await readInput(file);
      const verdict = await perform(validateAnswer, { answer, schema, tools, called: flags.tools });
      if (flags.json === true) writeJson(verdict);
      else tellVerdict(verdict);
      process.exitCode = verdict.valid ? EXIT.ok : EXIT.failed;
    });
}

/** A valid value goes to standard output as JSON; errors go to standard error. */
function tellVerdict(verdict: AnswerVerdict): void {
  if (verdict.valid) {
    write(JSON.stringify(verdict.value, null, 2));
    if (verdict.repaired) tell(`${styled("yellow", "repaired")}: it was not valid JSON as written`);
    return;
  }
  tell(`${styled("red", "invalid")}: ${cleanLine(verdict.error ?? "", 600)}`);
  if (verdict.suggestion !== undefined) tell(`suggestion: ${cleanLine(verdict.suggestion, 600)}`);
}
