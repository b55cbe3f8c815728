/**
 * A run on a terminal: keeps the tree drawn and says for good what is worth keeping. Invariants: at most one frame
 * per FRAME_MS, and drawing takes no more than a tenth of the time, however large the run is; every event is told
 * before the end; after the end nothing is drawn.
 */
import type { RunHappening } from "../../operations/runs/follow.ts";
import type { RunView } from "../../operations/runs/run-view.ts";
import { redact } from "../../operations/redaction.ts";
import { styled } from "../io.ts";
import { frameTimer, liveScreen } from "./live-screen.ts";
import type { Terminal } from "./live-screen.ts";
import { fitted, painted } from "./line.ts";
import { summaryLines } from "./summary.ts";
import { treeLines } from "./tree.ts";

export interface RunScreen {
  take(happening: RunHappening): void;
  say(words: string): void;
  /** Draws what came of it, or, of a run that goes on elsewhere, the tree as it stands. */
  end(goesOn?: boolean): void;
}

export const hasScreen = (): boolean => process.stdout.isTTY && process.env["TERM"] !== "dumb";

/** A terminal that says when its size changes. */
export interface ResizingTerminal extends Terminal {
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

/** Under way and waiting are the tree's to show; what failed, was chosen or came to an end is said for good. */
const IN_TREE: ReadonlySet<string> = new Set([
  "attempt-dispatched",
  "checks-dispatched",
  "wait-scheduled",
  "run-ended",
]);

export function runScreen(terminal: ResizingTerminal = process.stdout): RunScreen {
  const screen = liveScreen(terminal, styled);
  let view: (() => RunView) | undefined;
  let said: string[] = [];
  const tree = (below: number) => {
    const { columns, rows } = screen.size();
    return view === undefined ? [] : treeLines(view(), { columns, rows: rows - below }, Date.now());
  };
  const frames = frameTimer(() => {
    screen.frame(said, tree(1));
    said = [];
  });
  terminal.on("resize", frames.soon);
  return {
    take(happening) {
      if (happening.kind === "changed") ({ view } = happening);
      else if (happening.kind === "recorded" && !IN_TREE.has(happening.event.kind)) {
        const { line } = happening;
        if (line !== undefined) said.push(painted(fitted(line, screen.size().columns), styled));
      }
      frames.soon();
    },
    say(words) {
      said.push(redact(words));
      frames.soon();
    },
    end(goesOn = false) {
      frames.stop();
      terminal.off("resize", frames.soon);
      const last = view?.();
      const lines =
        last === undefined
          ? []
          : goesOn && last.phase !== "ended"
            ? tree(2)
            : summaryLines(last, screen.size().columns, Date.now());
      screen.frame([...said, ...lines.map((line) => painted(line, styled))], []);
      said = [];
    },
  };
}
