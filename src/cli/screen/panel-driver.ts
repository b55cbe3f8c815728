/**
 * Drives a panel of questions: keys are handled one at a time, each choice is carried out before the next key counts,
 * and its outcome is printed permanently. On a run's own screen its questions are offered while the run works, and the
 * panel opens by itself when only an answer can continue it. Invariants: while the terminal is lent to another program
 * nothing is drawn; questions are read again whenever the open ones change; a closed panel does not reopen by itself
 * for the same questions.
 */
import type { Line, Style } from "../../operations/text.ts";
import { carryOut } from "./carry-out.ts";
import type { Key, KeyReader } from "./keys.ts";
import { questionPanel, type QuestionPanel } from "./question-panel.ts";
import { indented, type ShownQuestion, type QuestionSize } from "./question.ts";
import { reviewQuestions } from "../../operations/questions/review.ts";
import type { RunView } from "../../operations/follow/run-lines.ts";

interface PanelScreen {
  /** Removes what is drawn from the screen. */
  readonly erase: () => void;
  readonly redraw: () => void;
  /** Prints lines permanently. */
  readonly say: (lines: readonly Line[]) => void;
  readonly columns: () => number;
}

interface PanelDriver {
  readonly panel: Pick<QuestionPanel, "take" | "lines">;
  readonly press: (keys: readonly Key[]) => void;
  readonly isLent: () => boolean;
}

interface Driven {
  readonly keys: () => KeyReader;
  readonly screen: PanelScreen;
  readonly onLeave: () => void;
  /** The questions just answered, and the runs that no process is working on. */
  readonly onAnswered: (questions: readonly ShownQuestion[], toResume: readonly string[]) => void;
  readonly onProblem: (problem: unknown) => void;
}

export function panelDriver({ keys, screen, onLeave, onAnswered, onProblem }: Driven): PanelDriver {
  const panel = questionPanel();
  let busy: Promise<void> = Promise.resolve();
  let lent = false;
  const lend = async <T>(body: () => Promise<T>): Promise<T> => {
    screen.erase();
    lent = true;
    try {
      return await keys().lend(body);
    } finally {
      lent = false;
    }
  };
  const tell = (words: string, style?: Style): void =>
    screen.say(indented(words, screen.columns(), style));
  const tellWhole = (words: string): void =>
    screen.say(words.split("\n").map((line): Line => [[line]]));
  const press = async (pressed: readonly Key[]): Promise<void> => {
    const effect = panel.key(pressed);
    if (effect?.kind === "leave") onLeave();
    else if (effect !== undefined) {
      const { answered, toResume } = await carryOut(effect, { panel, lend, tell, tellWhole });
      if (answered.length > 0) onAnswered(answered, toResume);
    }
    screen.redraw();
  };
  return {
    panel,
    isLent: () => lent,
    press(pressed) {
      busy = busy.then(() => press(pressed)).catch(onProblem);
    },
  };
}

interface RunQuestions {
  /** Reads the questions again if they have changed with the run. */
  look(view: RunView): void;
  /** The lines of the open panel; undefined while the run itself is shown. */
  lines(size: QuestionSize): readonly Line[] | undefined;
  /** Another program has the screen. */
  isLent(): boolean;
  /** The panel receives the keys. */
  isOpen(): boolean;
  press(keys: readonly Key[]): void;
}

/** `onLeave`: called when the user does not want to answer now. */
export function runQuestions(
  screen: PanelScreen,
  keys: KeyReader,
  onLeave: () => void,
): RunQuestions {
  let known = "";
  let questions: readonly ShownQuestion[] = [];
  let isOpen = false;
  let isBeingRead = false;
  /** The user asked for the questions while they were being read. */
  let isWanted = false;
  let needsPerson = false;
  const show = (open: readonly ShownQuestion[]): void => {
    questions = open;
    driver.panel.take(open);
    isOpen = open.length > 0 && (isOpen || isWanted || needsPerson);
    isWanted = isBeingRead = false;
    screen.redraw();
  };
  const read = async (run: string, asOf: string): Promise<void> => {
    const found = await reviewQuestions.run({ cwd: process.cwd() }, { run });
    // If they changed in the meantime, another read is already under way.
    if (found.ok && asOf === known) show(found.value.filter(({ given }) => given === undefined));
  };
  const press = (keys: readonly Key[]): void => {
    const [{ name, text } = { name: "unknown", text: "" }] = keys;
    if (isOpen) driver.press(keys);
    else if ((isBeingRead || questions.length > 0) && (text === "a" || name === "enter")) {
      isOpen = questions.length > 0;
      isWanted = !isOpen;
      screen.redraw();
    } else if (needsPerson && (text === "q" || name === "end-of-input")) onLeave();
  };
  const driver = panelDriver({
    ...{ keys: () => keys, screen },
    onLeave() {
      isOpen = false;
    },
    onAnswered: (answered) => show(questions.filter((question) => !answered.includes(question))),
    onProblem: () => {
      isOpen = false;
    },
  });
  return {
    look(view) {
      const wasNeeded = needsPerson;
      ({ needsPerson } = view);
      const open = [view, ...view.subtasks].flatMap(({ question }) => question ?? []);
      const now = open.map(({ id, takenBy = "" }) => `${id} ${takenBy}`).join("\n");
      if (needsPerson && !wasNeeded && questions.length > 0) isOpen = true;
      if (now === known) return;
      known = now;
      isBeingRead = now !== "";
      void read(view.run, now);
    },
    lines(size) {
      return isOpen ? driver.panel.lines(size, Date.now()) : undefined;
    },
    isOpen: () => isOpen,
    isLent: () => driver.isLent(),
    press,
  };
}
