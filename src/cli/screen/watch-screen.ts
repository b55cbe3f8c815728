/**
 * A run on a terminal: follows its events, keeps the tree drawn and says for good what is worth keeping.
 * Invariants: every event is told before the end; after the summary nothing is drawn; never writes to the run.
 */
import { historyCollector } from "../../core/history/run-history.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import { fold } from "../../core/run/fold.ts";
import { NEW_RUN } from "../../core/run/new-run.ts";
import type { RunState } from "../../core/run/state.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import { follow } from "../../engines/follow.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { styled } from "../io.ts";
import { redact } from "../../operations/redaction.ts";
import { lineOf } from "../run-lines.ts";
import { frameTimer } from "./frame-timer.ts";
import { liveScreen } from "./live-screen.ts";
import type { Terminal } from "./live-screen.ts";
import { fitted, painted } from "./line.ts";
import { runView } from "./run-view.ts";
import { summaryLines } from "./summary.ts";
import { currentSteps } from "./transcript-tail.ts";
import { treeLines } from "./tree.ts";

const TICK_MS = 500;

export interface WatchedRun {
  readonly journal: JournalReader;
  readonly run: string;
  readonly runDir: string;
  readonly agents: RunPlan["agents"];
  /** The first event that is news. */
  readonly from: number;
  /** Ends the watching; what is recorded by then is still shown. */
  readonly signal: AbortSignal;
  /** Whether the tree is left as it stands at the end, because the run goes on; else the summary comes. */
  readonly staysTree?: () => boolean;
}

export interface ScreenWatch {
  say(words: string): void;
  /** Settles when the run has ended or the watching was; the summary stands then. */
  readonly done: Promise<void>;
}

export const hasScreen = (): boolean => process.stdout.isTTY && process.env["TERM"] !== "dumb";

/** A terminal that says when its size changes. */
export interface ResizingTerminal extends Terminal {
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

export function watchScreen(
  watched: WatchedRun,
  terminal: ResizingTerminal = process.stdout,
): ScreenWatch {
  const screen = liveScreen(terminal, styled);
  const collector = historyCollector();
  let state: RunState = NEW_RUN;
  let steps: ReadonlyMap<string, string> = new Map();
  let said: string[] = [];
  const view = () => runView(state, collector.history(), steps);
  const frames = frameTimer(() => {
    const { columns, rows } = screen.size();
    const isNew = state.phase === "new";
    screen.frame(said, isNew ? [] : treeLines(view(), { columns, rows: rows - 1 }, Date.now()));
    said = [];
  });
  const take = (seq: number, event: RunEvent): void => {
    state = fold(state, event);
    collector.add(event);
    const line = seq < watched.from || isInTree(event) ? undefined : lineOf(event);
    if (line !== undefined) said.push(painted(fitted(line, screen.size().columns), styled));
    frames.soon();
  };
  const tick = setInterval(() => {
    void currentSteps(state, watched.runDir, watched.agents).then((read) => {
      steps = read;
      frames.soon();
    });
  }, TICK_MS);
  terminal.on("resize", frames.soon);
  const end = (): void => {
    clearInterval(tick);
    frames.stop();
    terminal.off("resize", frames.soon);
    const { columns, rows } = screen.size();
    const last = watched.staysTree?.() === true && state.phase !== "ended";
    const lines = last
      ? treeLines(view(), { columns, rows: rows - 2 }, Date.now())
      : summaryLines(view(), columns, Date.now());
    const kept = state.phase === "new" ? [] : lines.map((line) => painted(line, styled));
    screen.frame([...said, ...kept], []);
    said = [];
  };
  return {
    say(words) {
      said.push(redact(words));
      frames.soon();
    },
    done: takeAll(watched, take).finally(end),
  };
}

/** Under way and waiting are the tree's to show; what failed, was chosen or came to an end is said for good. */
function isInTree({ kind }: RunEvent): boolean {
  return (
    kind === "attempt-dispatched" ||
    kind === "checks-dispatched" ||
    kind === "wait-scheduled" ||
    kind === "run-ended"
  );
}

const ROWS_AT_ONCE = 5000;

async function takeAll(
  { journal, run, signal }: WatchedRun,
  take: (seq: number, event: RunEvent) => void,
): Promise<void> {
  let next = 1;
  for await (const { seq, event } of follow(journal, run, 1, signal)) {
    next = seq + 1;
    take(seq, event);
  }
  for (;;) {
    const rows = await journal.read(run, next, ROWS_AT_ONCE);
    if (rows.length === 0) return;
    for (const { seq, event } of rows) take(seq, event);
    next += rows.length;
  }
}
