/**
 * The stuck watch of one subtask, on all three levels of design ("Stuck, on three levels"): steps inside the
 * attempt that runs, progress across attempts (A1, A2), circular fixes across approaches (B10), and equal outputs
 * in a row (A11). Invariants: what must outlive a restart is plain JSON (`memory`); uncounted attempts
 * (infrastructure, lost) change nothing; a person's words start anew.
 */
import { defined } from "../defined.ts";
import { circularFix, type FixAttempt } from "../progress/circular-fix.ts";
import { NOT_STUCK, stuckState } from "../progress/stuck-state.ts";
import type { StuckOptions, StuckState, StuckStatus } from "../progress/stuck-state.ts";
import type { StuckConfig } from "./config.ts";
import { createStuckDetector } from "./detector.ts";
import type { Step } from "./step.ts";
import { maskedHash } from "../masked-hash.ts";
import type { StuckVerdict } from "./verdict.ts";

/** Equal outputs in a row from which on a run is a runaway (A11). */
const EQUAL_OUTPUTS = 5;
/** Attempts a circle is looked for in. */
const MAX_HISTORY = 50;

export interface WatchMemory {
  readonly progress: StuckState;
  readonly history: readonly FixAttempt[];
  /** Mark of the last output, and how many in a row had it. */
  readonly output: { readonly mark: number; readonly count: number };
}

export interface AttemptEnd extends FixAttempt {
  readonly counted: boolean;
  /** The progress score, 0..1. */
  readonly score: number;
  readonly output: string;
}

interface AttemptsVerdict {
  readonly status: StuckStatus;
  /** Why the last attempt is a circular fix; empty where it is none. */
  readonly circular: readonly string[];
  readonly equalOutputs: number;
  /** Five equal outputs in a row. */
  readonly runaway: boolean;
}

export interface StuckWatch {
  /** A step of the attempt that runs. */
  step(step: Step): StuckVerdict;
  /** The attempt is over: what all of them say together. The next step belongs to the next one. */
  endAttempt(end: AttemptEnd): AttemptsVerdict;
  personSpoke(): void;
  memory(): WatchMemory;
}

interface WatchOptions {
  readonly config?: StuckConfig;
  readonly progress?: StuckOptions;
  /** From before a restart. */
  readonly memory?: WatchMemory;
}

const NOTHING_SEEN: WatchMemory = {
  progress: NOT_STUCK,
  history: [],
  output: { mark: 0, count: 0 },
};

export function createStuckWatch({ config, progress, memory }: WatchOptions = {}): StuckWatch {
  let known = memory ?? NOTHING_SEEN;
  let detector = createStuckDetector(config);
  return {
    step: (step) => detector.step(step),
    endAttempt(end) {
      detector = createStuckDetector(config);
      if (end.counted) known = remember(known, end, progress);
      return {
        status: known.progress.status,
        circular: end.counted ? circularFix(known.history).because : [],
        equalOutputs: known.output.count,
        runaway: known.output.count >= EQUAL_OUTPUTS,
      };
    },
    personSpoke() {
      known = NOTHING_SEEN;
      detector = createStuckDetector(config);
    },
    memory: () => known,
  };
}

function remember(known: WatchMemory, end: AttemptEnd, options: StuckOptions = {}): WatchMemory {
  const { attempt, failed, startTree, endTree, score, output } = end;
  const { signature, approach, failing, failures } = end;
  const mark = maskedHash(output);
  const again = known.output.count > 0 && known.output.mark === mark;
  const fix: FixAttempt = {
    attempt,
    failed,
    startTree,
    endTree,
    ...defined({ signature, approach, failing, failures }),
  };
  return {
    progress: stuckState(known.progress, score, options),
    history: [...known.history, fix].slice(-MAX_HISTORY),
    output: { mark, count: again ? known.output.count + 1 : 1 },
  };
}
