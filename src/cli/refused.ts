/**
 * A refusal of the workspace as an error for `main`: bad input where a person gave it, a fault of the machine
 * where it is one.
 */
import type { RefusalKind } from "../workspace/types.ts";
import { ProblemError } from "../operations/operation.ts";
import { UsageError } from "./io.ts";

const MACHINES_OWN: ReadonlySet<RefusalKind> = new Set([
  "file-system",
  "disk-full",
  "half-changed",
]);

export const refused = (kind: RefusalKind, words: string): Error =>
  MACHINES_OWN.has(kind) ? new ProblemError("machine", words) : new UsageError(words);
