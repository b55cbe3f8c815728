/**
 * A panel of questions at work: keys go in one at a time, what was chosen is carried out before the next one counts,
 * and what came of it is said for good. Invariant: while the terminal is lent to another program nothing is drawn.
 */
import type { Line, Style } from "../../operations/text.ts";
import { carryOut } from "./carry-out.ts";
import type { Key, KeyReader } from "./keys.ts";
import { questionPanel, type QuestionPanel } from "./question-panel.ts";
import { indented, type ShownQuestion } from "./question.ts";

export interface PanelScreen {
  /** Takes what is drawn off the screen. */
  readonly erase: () => void;
  readonly redraw: () => void;
  /** Says lines for good. */
  readonly say: (lines: readonly Line[]) => void;
  readonly columns: () => number;
}

export interface PanelDriver {
  readonly panel: Pick<QuestionPanel, "take" | "lines">;
  readonly press: (keys: readonly Key[]) => void;
  readonly isLent: () => boolean;
}

interface Driven {
  readonly keys: () => KeyReader;
  readonly screen: PanelScreen;
  readonly onLeave: () => void;
  /** Questions that are answered now; runs whose answer nobody has taken. */
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
