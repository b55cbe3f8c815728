/** Converts the workspace's answers to an operation's value or problem; and the path of a run's workspace. */
import { join } from "node:path";
import { cleanLine } from "../../core/foreign-text.ts";
import type { Refusal, RefusalKind, Result } from "../../workspace/base/refusal.ts";
import type { Home } from "../home.ts";
import { ProblemError } from "../operation.ts";

export const workspaceFolder = (home: Home, run: string): string =>
  join(home.runDir(run), "workspace");

export function accepted<T>(run: string, result: Result<T>): T {
  if (result.ok) return result.value;
  throw refused(result.refusal, `run ${run}: ${refusalText(result.refusal)}`);
}

const MACHINES_OWN: ReadonlySet<RefusalKind> = new Set([
  "file-system",
  "disk-full",
  "half-changed",
]);

export const refused = ({ kind }: Pick<Refusal, "kind">, message: string): ProblemError =>
  new ProblemError(MACHINES_OWN.has(kind) ? "machine" : "not-now", message);

export function refusalText({ detail, files }: Refusal): string {
  const named = files?.slice(0, 10).map((file) => cleanLine(file, 100));
  return `${cleanLine(detail, 700)}${named === undefined ? "" : `: ${named.join(", ")}`}`;
}
