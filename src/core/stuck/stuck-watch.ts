/**
 * The stuck watch of one subtask, on all three levels: steps within the running attempt, progress and equal outputs
 * across attempts, and circular fixes across approaches. Invariants: what must survive a restart is plain JSON
 * (`memory`); uncounted attempts (infrastructure, lost) change nothing; a message from a person resets everything.
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

/** This many equal outputs in a row make a runaway. */
const EQUAL_OUTPUTS = 5;
/** How many past attempts are searched for circular fixes. */
const MAX_HISTORY = 50;

export interface WatchMemory {
  readonly progress: StuckState;
  readonly history: readonly FixAttempt[];
  /** Hash of the last output, and how many times in a row it occurred. */
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
  /** Why the last attempt is a circular fix; empty if it is not. */
  readonly circular: readonly string[];
  readonly equalOutputs: number;
  /** Five equal outputs in a row. */
  readonly runaway: boolean;
}

export interface StuckWatch {
  /** A step of the running attempt. */
  step(step: Step): StuckVerdict;
  /** Ends the attempt and returns the verdict over all attempts. The next step belongs to the next attempt. */
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
