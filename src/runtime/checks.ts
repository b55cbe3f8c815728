/**
 * Judges what an attempt left, as the commit it would publish, explains failures, and merges the commit into the result
 * once the merged commit has passed its checks. Invariants: the result moves only to a commit that was judged, even by
 * fast-forward (U5); only failures kept from the base may remain; conflict markers are never merged.
 */
import type { Command } from "../core/run/command.ts";
import type { CheckPlan } from "../core/plan/run-plan.ts";
import type { InputOf } from "../core/run/input.ts";
import type { CheckResult } from "../core/run/check-result.ts";
import { couldNotRun, conflictMarkersFailure, judge, withNote, withOldJudges } from "./judge.ts";
import type { Judging } from "./judge.ts";
import { retryWhileFull } from "./waiting.ts";
import type { AttemptCommit, AttemptTree, Joined, LeftOut } from "./ports-workspace.ts";
import { endedIn } from "./attempt-slot.ts";
import { makeRoom } from "./slots.ts";
import { perRun, stateOf, type Reply, type RunUnderway } from "./ports.ts";

export async function checkAttempt(
  underway: RunUnderway,
  { subtask, attempt, round }: Extract<Command, { readonly kind: "check" }>,
): Promise<Reply | undefined> {
  const { ports } = underway;
  const attemptId = `${underway.run}/${subtask}/${attempt}`;
  const ended = { kind: "checks-ended", subtask, attempt, round } as const;
  const place = endedIn(underway, subtask, attempt);
  if (place === undefined)
    return { ...ended, result: couldNotRun("the subtask has no working tree yet") };
  // Work done by hand has no agent's end, which is when trees are otherwise snapshotted.
  if (!stateOf(underway, subtask).attempts.some((record) => record.attempt === attempt)) {
    await makeRoom(underway, place.slot);
    const kept = await retryWhileFull(underway, () => ports.workspace.finish(place));
    if (!kept.ok) return { ...ended, result: couldNotRun(kept.failure.because[0]) };
  }
  const commit = await retryWhileFull(underway, () => ports.commits.ofAttempt(place));
  if (!commit.ok) return { ...ended, result: couldNotRun(commit.failure.because[0]) };
  const judging = { subtask, attemptId, ...checksOf(underway, subtask), fresh: round > 1 };
  const result = await judgeAttempt(underway, place, commit.value, judging);
  return underway.stop.aborted ? undefined : { ...ended, result };
}

/** The checks of a subtask, without those a person waived. */
export function checksOf(
  { plan, state, ports }: RunUnderway,
  subtask: string,
): { readonly checks: readonly CheckPlan[]; readonly dropped: readonly string[] } {
  const all = plan.subtasks[subtask]?.checks ?? [];
  const gone = new Set(state().baseline.dropped);
  const isGone = ({ run }: CheckPlan): boolean => gone.has(run) || gone.has(ports.redact(run));
  const dropped = all.filter(isGone).map(({ name }) => name);
  return { checks: all.filter((check) => !isGone(check)), dropped };
}

async function judgeAttempt(
  underway: RunUnderway,
  place: AttemptTree,
  commit: AttemptCommit,
  judging: Judging & { readonly dropped: readonly string[] },
): Promise<CheckResult> {
  if (commit.markers.length > 0) return conflictMarkersFailure(commit.markers);
  const result = await judge(underway, commit, judging);
  if (underway.stop.aborted) return result;
  if (result.kind === "passed") {
    const { dropped: checks } = judging;
    const held = await withOldJudges(underway, commit, judging, result);
    const noted = await withLeftOut(underway, place, held);
    return checks.length === 0 ? noted : withNote(noted, { kind: "dropped-checks", checks });
  }
  return result.kind === "failed"
    ? withFailureReason(underway, place, commit, judging, result)
    : result;
}

/** Lists files a person would miss in the result, but not files that are merely ignored. */
async function withLeftOut(
  { ports }: RunUnderway,
  place: AttemptTree,
  result: CheckResult,
): Promise<CheckResult> {
  const found = await ports.checkTrees.leftOut(place);
  const files = (found.ok ? found.value : [])
    .filter(({ why }) => why !== "ignored")
    .map(({ path }) => path);
  return files.length === 0 ? result : withNote(result, { kind: "left-out", files });
}

type Failed = Extract<CheckResult, { readonly kind: "failed" }>;

/**
 * Adds the reason for the failure if it is known: dependencies not installed, files that are not part of the result.
 */
async function withFailureReason(
  underway: RunUnderway,
  place: AttemptTree,
  commit: AttemptCommit,
  judging: Judging,
  result: Failed,
): Promise<CheckResult> {
  const unmet = await underway.ports.checkTrees.unmetDependencies(commit);
  if (unmet.ok && unmet.value.length > 0) {
    const ask =
      `dependencies changed, no set-up: ${unmet.value.slice(0, 5).join(", ")} changed, and nothing installs what it asks for. ` +
      "Name the install command as workspace.setup in the plan, or with --setup";
    return { kind: "could-not-run", evidence: { ...result.evidence, message: ask }, ask };
  }
  const reason = await reasonInSlot(underway, place, judging, result);
  if (reason === "") return result;
  const message = [reason, result.evidence.message ?? ""].join(" ").trim();
  return { ...result, evidence: { ...result.evidence, message } };
}

/** By attempt: its checks run in its own tree only once, however often they are judged again. */
const reasons = perRun(() => new Map<string, string>());

/** The files its own tree has and the result lacks, if the failing check passes in its own tree; otherwise nothing. */
async function reasonInSlot(
  underway: RunUnderway,
  place: AttemptTree,
  { attemptId, subtask, checks: all }: Judging,
  { evidence: { command } }: Failed,
): Promise<string> {
  const { ports, stop } = underway;
  const known = reasons(underway);
  const before = known.get(attemptId);
  if (before !== undefined) return before;
  const found = await ports.checkTrees.leftOut(place);
  if (!found.ok || found.value.length === 0) return "";
  const checks = all.filter(({ run }) => run === command);
  const slot = Number(place.slot) || 0;
  const here = await ports.checkTrees.inSlot(place, (tree) =>
    ports.checker.check({ attemptId, subtask, slot, tree, checks, stop }, {}),
  );
  const reason = here.ok && here.value.kind === "passed" ? leftOutText(found.value) : "";
  known.set(attemptId, reason);
  return reason;
}

/** For the agent: its check passes where it works, and why it does not pass where it counts. */
function leftOutText(found: readonly LeftOut[]): string {
  const named = found.slice(0, 5).map(({ path, why }) => `\`${path}\` ${WHY[why]}`);
  const more = found.length - named.length;
  return (
    `It passes in your working tree, but not in a clean checkout of what you did: ${named.join("; ")}` +
    `${more > 0 ? `; and ${more} more` : ""}.`
  );
}

const WHY: { readonly [why in LeftOut["why"]]: string } = {
  ignored: "is ignored by git: it will not be part of the result",
  "too-big": "is too big to be part of the result",
  "too-deep": "is too deep: its longest paths will not be part of the result",
  unreadable: "cannot be read: it will not be part of the result",
  submodule: "is a submodule: work inside it will not be part of the result",
};

type Result = InputOf<"merge-ended">["result"];

export async function mergeAttempt(
  underway: RunUnderway,
  { subtask, attempt, round }: Extract<Command, { readonly kind: "merge" }>,
): Promise<Reply | undefined> {
  const place = endedIn(underway, subtask, attempt);
  if (place === undefined) throw new Error(`broken invariant: ${subtask} has no tree to merge`);
  const result = await tryMerge(underway, place, round);
  if (underway.stop.aborted) return undefined;
  return { kind: "merge-ended", subtask, attempt, ...(round > 1 ? { round } : {}), result };
}

async function tryMerge(underway: RunUnderway, place: AttemptTree, round: number): Promise<Result> {
  const { commits } = underway.ports;
  const { subtask, attempt } = place;
  const commit = await retryWhileFull(underway, () => commits.ofAttempt(place));
  if (!commit.ok) return refused(commit.failure.because[0]);
  if (commit.value.markers.length > 0)
    return mergeCheckFailed(conflictMarkersFailure(commit.value.markers));
  const joined = await retryWhileFull(underway, () => commits.join(place));
  if (!joined.ok) return refused(joined.failure.because[0]);
  if (joined.value.kind === "conflict") return conflict(joined.value);
  if (joined.value.there) return { kind: "merged", commit: joined.value.commit };
  const attemptId = `${underway.run}/${subtask}/${attempt}`;
  const { checks } = checksOf(underway, subtask);
  const judging = { subtask, attemptId, checks, fresh: round > 1 };
  const verdict = await judge(underway, joined.value, judging);
  if (underway.stop.aborted) return refused("stopped");
  const failing = verdict.kind === "failed" ? verdict.failing : [];
  const accepted = acceptedIn(underway, place);
  const isKept = failing.length > 0 && failing.every((item) => accepted.has(item));
  if (verdict.kind !== "passed" && !isKept) return mergeCheckFailed(verdict);
  const moved = joined.value;
  const advanced = await retryWhileFull(underway, () => commits.advance(moved));
  if (!advanced.ok) return refused(advanced.failure.because[0]);
  return { kind: "merged", commit: moved.commit, ...(failing.length > 0 ? { failing } : {}) };
}

/** Failures that were accepted because they existed before the subtask. */
function acceptedIn(underway: RunUnderway, { subtask, attempt }: AttemptTree): ReadonlySet<string> {
  const stage = stateOf(underway, subtask).stages.find(
    (one) => one.kind === "merge" && one.attempt === attempt,
  );
  const notes = stage?.kind === "merge" ? stage.notes : [];
  return new Set(notes.flatMap((note) => (note.kind === "failed-before" ? note.items : [])));
}

function mergeCheckFailed(verdict: CheckResult): Result {
  if (verdict.kind === "passed") throw new Error("broken invariant: what passed is not red");
  const { evidence } = verdict;
  return verdict.kind === "failed"
    ? { kind: "red", failing: verdict.failing, evidence }
    : { kind: "could-not-run", evidence };
}

const refused = (message = "the merge could not be made"): Result => ({
  kind: "red",
  failing: [],
  evidence: { origin: "workspace", message },
});

const FILES_NAMED = 30;

function conflict({ files }: Extract<Joined, { readonly kind: "conflict" }>): Result {
  const more = files.length > FILES_NAMED ? ` and ${files.length - FILES_NAMED} more` : "";
  const message =
    `Other subtasks changed the same places: ${files.slice(0, FILES_NAMED).join(", ")}${more}. ` +
    "The working tree now holds both sides, between conflict markers; keep what both are for.";
  return { kind: "conflict", evidence: { message } };
}
