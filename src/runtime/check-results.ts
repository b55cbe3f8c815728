/** Check results that no check gave: what the workspace, set-up or a merge has to say instead. */
import type { CheckResult } from "../core/run/input.ts";
import type { Note } from "../core/run/note.ts";
import type { Lent } from "./ports-workspace.ts";

export const couldNotRun = (message = ""): CheckResult => ({
  kind: "could-not-run",
  evidence: { origin: "workspace", message },
});

export function withNote(result: CheckResult, note: Note): CheckResult {
  if (result.kind === "could-not-run") return result;
  return { ...result, notes: [...(result.notes ?? []), note] };
}

/** Set-up that fails on a commit is the work's fault, as a failing check is, unless it could not run at all. */
export function notReady({
  command,
  run,
}: Extract<Lent<unknown>, { readonly kind: "not-ready" }>): CheckResult {
  const { stdout, stderr, exitCode, outcome } = run;
  const evidence = {
    ...{ origin: "check" as const, tool: "run_bash", command, stdout, stderr },
    message: `set-up failed: ${command}`,
    ...(exitCode === undefined ? {} : { exitCode }),
  };
  return outcome.kind === "could-not-run"
    ? { kind: "could-not-run", evidence: { ...evidence, message: outcome.detail } }
    : { kind: "failed", failing: [`set-up: ${command}`], evidence };
}

const FILES_NAMED = 10;

/** Both sides of a conflict are still in these files: that is no result, whatever the checks say (U5). */
export function holdsMarkers(files: readonly string[]): CheckResult {
  const named = files.slice(0, FILES_NAMED).join(", ");
  return {
    kind: "failed",
    failing: files.map((file) => `conflict markers in ${file}`),
    evidence: {
      origin: "workspace",
      message: `Conflict markers of the merge are still in ${named}. Keep what both sides are for and remove the markers.`,
    },
  };
}
