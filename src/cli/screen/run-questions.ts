/**
 * The questions of a run on its own live screen: they are offered while others work, opened by themselves when nothing
 * else can go on, and answered in place. Invariants: they are read again whenever what is open has changed; who closed
 * them is not shown the same ones again until they ask for them.
 */
import { reviewQuestions } from "../../operations/questions/review.ts";
import type { RunView } from "../../operations/follow/run-lines.ts";
import type { Line } from "../../operations/text.ts";
import type { Key, KeyReader } from "./keys.ts";
import { panelDriver, type PanelScreen } from "./panel-driver.ts";
import type { QuestionSize, ShownQuestion } from "./question.ts";

export interface RunQuestions {
  /** The run has changed: reads the questions anew where they have. */
  look(view: RunView): void;
  /** The open panel; nothing while the run itself is to be shown. */
  lines(size: QuestionSize): readonly Line[] | undefined;
  /** Another program has the screen. */
  isLent(): boolean;
  /** The panel has the keys. */
  isOpen(): boolean;
  press(keys: readonly Key[]): void;
}

/** `onLeave`: whoever is there does not want to answer now. */
export function runQuestions(
  screen: PanelScreen,
  keys: KeyReader,
  onLeave: () => void,
): RunQuestions {
  let known = "";
  let questions: readonly ShownQuestion[] = [];
  let isOpen = false;
  let isBeingRead = false;
  /** Asked for meanwhile. */
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
    // What changed meanwhile is read by its own.
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
