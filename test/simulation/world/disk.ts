/**
 * The simulated disk that all processes of a world share, with the refusals it can give. Invariant: a refusal is
 * an answer, anything else a broken invariant of the simulation.
 */
import { signatureOf } from "../../../src/core/classify/signature.ts";
import { categoryOf, type Failure } from "../../../src/core/failure.ts";
import type { FailureKind } from "../../../src/core/kinds.ts";
import type { TreeAnswer } from "../../../src/runtime/ports-workspace.ts";
import type { Chance } from "./chance.ts";
import type { Happening } from "./history.ts";
import type { SimulatedProcess } from "./process.ts";
import type { Repository } from "./repository.ts";
import type { Tree } from "./tree.ts";

export interface Disk {
  readonly run: string;
  readonly repository: Repository;
  readonly record: (happening: Happening) => void;
  readonly chance: Chance;
  /** How often an operation is refused. */
  readonly refusalRate: number;
  /** Attempts with living, working processes in this folder. */
  readonly living: (cwd: string) => readonly string[];
  /** Trees that stand in folders beside the slots, by folder. */
  readonly folders: Map<string, Tree>;
  /** Files of the commits that were asked for, by tree. */
  readonly contents: Map<string, Tree>;
  /** Whose checks have each check tree. */
  readonly holders: Map<number, string>;
  readonly refusal: (kind: FailureKind, detail: string) => Error;
}

export class Refused extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** How a process works on the disk: step by step, each of which it may die in or be refused. */
export function attempted(disk: Disk, process: SimulatedProcess) {
  const step = <T>(what: string, apply: () => T): Promise<T> =>
    process.effect(`workspace ${what}`, () => {
      if (disk.chance.happens(disk.refusalRate))
        throw disk.chance.happens(0.7)
          ? new Refused("disk_full", "no space left on the simulated disk")
          : new Refused("unknown", "the simulated disk gave an error");
      return apply();
    });
  const answered = async <T>(work: () => Promise<T>): Promise<TreeAnswer<T>> => {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      if (error instanceof Refused) return { ok: false, failure: failureOf(error) };
      throw error;
    }
  };
  return { step, answered };
}

function failureOf({ kind, message }: Refused): Failure {
  return {
    kind,
    category: categoryOf(kind, "workspace"),
    origin: "workspace",
    confidence: 1,
    because: [message],
    signature: signatureOf(message),
  };
}
