/**
 * Carries out what a person chose on a panel of questions: posts answers, and lends the terminal to an editor or to
 * `unstuck logs`. Invariants: an answer that came second is told which one was first; text is read from a private file
 * that is deleted afterwards.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerQuestion } from "../../operations/questions/answer.ts";
import { cleanLine, type Style } from "../../operations/text.ts";
import type { KeyReader } from "./keys.ts";
import type { Answer, ShownQuestion } from "./question.ts";
import type { PanelEffect, QuestionPanel } from "./question-panel.ts";

export interface Posted {
  /** This answer counts: none came before it. */
  readonly stands: boolean;
  /** A process works on the run and takes the answer at once. */
  readonly goesOn: boolean;
  /** What happens next. */
  readonly words: string;
  /** The folder of files that a person takes over. */
  readonly folder?: string;
}

export async function postAnswer(
  { run, seen, checkpoint }: ShownQuestion,
  answer: Answer,
): Promise<Posted> {
  const input = { run, question: checkpoint.id, seen, answer };
  const result = await answerQuestion.run({ cwd: process.cwd() }, input);
  if (!result.ok) return { stands: false, goesOn: false, words: result.problem.message };
  const { ownerAlive: goesOn, folder } = result.value;
  if (answer.kind === "manual" && !answer.done)
    return {
      ...{ stands: true, goesOn: true, words: takenOverWords(run, checkpoint.id) },
      ...(folder === undefined ? {} : { folder: cleanLine(folder, 1000) }),
    };
  return { stands: true, goesOn, words: goesOn ? "answered; the run goes on" : "answered" };
}

export const takenOverWords = (run: string, question: string): string =>
  `it is in your hands; when you are done: unstuck resolve ${question} --run ${run} --manual --done`;

/** The answered questions, and the runs that no process is working on. */
export interface CarriedOut {
  readonly answered: readonly ShownQuestion[];
  readonly toResume: readonly string[];
}

const NOTHING: CarriedOut = { answered: [], toResume: [] };

interface Around extends Pick<KeyReader, "lend"> {
  readonly panel: Pick<QuestionPanel, "typed" | "say">;
  /** Prints the outcome of an answer permanently. */
  readonly tell: (words: string, style: Style) => void;
  /** Prints text permanently and unwrapped on its own line, so that it can be copied. */
  readonly tellWhole: (words: string) => void;
}

export async function carryOut(
  effect: Exclude<PanelEffect, { readonly kind: "leave" }>,
  { panel, lend, ...tells }: Around,
): Promise<CarriedOut> {
  if (effect.kind === "post") return posted(effect.questions, effect.answer, tells);
  const { question } = effect;
  if (effect.kind === "edit") {
    const words = await lend(() => writtenInEditor(question));
    if (typeof words === "string") panel.typed(words);
    else panel.say(words.problem, "yellow");
    return NOTHING;
  }
  const { run, checkpoint } = question;
  await lend(() => showLog(run, checkpoint.subtask ?? ""));
  return NOTHING;
}

async function posted(
  questions: readonly ShownQuestion[],
  answer: Answer,
  { tell, tellWhole }: Pick<Around, "tell" | "tellWhole">,
): Promise<CarriedOut> {
  const answered: ShownQuestion[] = [];
  const toResume: string[] = [];
  for (const question of questions) {
    const { stands, goesOn, words, folder } = await postAnswer(question, answer);
    if (stands) answered.push(question);
    if (stands && !goesOn) toResume.push(question.run);
    if (folder !== undefined) tellWhole(`its files:\n${folder}`);
    tell(`${cleanLine(question.checkpoint.id, 60)}: ${words}`, stands ? "green" : "yellow");
  }
  return { answered, toResume };
}

const CUT = "# ------------------------ >8 ------------------------";

/** The context is below a cut line, as git does it for commit messages. */
async function writtenInEditor({
  words: { happened },
  checkpoint,
  evidence,
}: ShownQuestion): Promise<string | { readonly problem: string }> {
  const editor = process.env["VISUAL"] || process.env["EDITOR"] || "vi";
  const folder = mkdtempSync(join(tmpdir(), "unstuck-words-"));
  const file = join(folder, "words.md");
  const about = [
    "Write your words for the agent above. What is below this line is not sent.",
    ...["", happened, ...evidence.lines, "", `Task: ${cleanLine(checkpoint.context.goal, 1000)}`],
  ].map((line) => `# ${line}`.trimEnd());
  try {
    writeFileSync(file, `\n${CUT}\n${about.join("\n")}\n`, { mode: 0o600 });
    // The user's own setting, which may contain arguments.
    const code = await ended("/bin/sh", ["-c", `${editor} "$0"`, file]);
    if (code !== 0) return { problem: `The editor ended with ${code}; nothing is sent.` };
    return readFileSync(file, "utf8").split(CUT)[0]?.trim() ?? "";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const showLog = (run: string, subtask: string): Promise<string | number> =>
  ended(process.execPath, [
    ...process.execArgv,
    ...[process.argv[1] ?? "", "logs", run, ...(subtask === "" ? [] : [subtask])],
  ]);

/** Runs a program on this terminal; resolves to how it ended. */
const ended = (program: string, args: readonly string[]): Promise<string | number> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "inherit" });
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(code ?? signal ?? "no exit code"));
  });
