/**
 * A refusal of the workspace as an error for `main`: bad input where a person gave it, a fault of the machine
 * where it is one.
 */
import type { RefusalKind } from "../workspace/base/refusal.ts";
import { MachineError, UsageError } from "./io.ts";

const MACHINES_OWN: ReadonlySet<RefusalKind> = new Set([
  "file-system",
  "disk-full",
  "half-changed",
]);

export const refused = (kind: RefusalKind, words: string): Error =>
  MACHINES_OWN.has(kind) ? new MachineError(words) : new UsageError(words);
