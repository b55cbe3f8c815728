/** What the processes of one simulated world are given, and by what their world is made. */
import type { RunPlan } from "../../../src/core/plan/run-plan.ts";
import type { RunInput } from "../../../src/core/run/input.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import type { Clock, Engine, Ports, Random } from "../../../src/runtime/ports.ts";
import type { Happening } from "./history.ts";
import type { SimulatedProcess } from "./process.ts";

/** What an engine is made from; the embedded engine takes exactly this. */
export interface EngineParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly onProblem: (run: string, problem: unknown) => void;
  readonly onPoint: (point: string) => void;
  readonly snapshotSize: number;
}

export type MakeEngine = (parts: EngineParts) => Engine;

export interface Surroundings {
  readonly run: string;
  readonly plan: RunPlan;
  readonly record: (happening: Happening) => void;
  readonly leavesWhenPaused: boolean;
  readonly firstInput: () => RunInput;
  readonly journalOf: (process: SimulatedProcess) => Journal;
  readonly engineOf: (process: SimulatedProcess, onProblem: (problem: unknown) => void) => Engine;
  readonly portsOf: (process: SimulatedProcess, engine: Engine) => Ports;
}
