/**
 * Permission questions. Some agents can wait before a call that their gate would refuse; a person is then asked while
 * the attempt is running, and the answer applies to that call only. Without an answer in time the call is refused, as
 * with an agent that cannot wait. Invariants: every request is settled once, or its attempt has ended; a subtask has at
 * most one open question; nobody is asked about a call they have already decided on, or while nobody is there.
 */
import { isSameRefusal, isReadOnlyCall, type Refusal } from "../../agent-words/refusal.ts";
import { assert } from "../../assert.ts";
import { riskOf } from "../../repair/shell-script.ts";
import { NOBODY, UNSTUCK, type Checkpoint } from "../checkpoint.ts";
import type { Answer, InputOf } from "../input.ts";
import { permissionQuestion } from "../make-checkpoint.ts";
import { isReadOnly } from "./attempt-failure.ts";
import { emit, subtaskNow, type Turn } from "./turn.ts";

type PermissionRequest = InputOf<"permission-asked">;

export function permissionAsked(turn: Turn, input: PermissionRequest): void {
  const { subtask, attempt, request, call, waitMs, at } = input;
  const settled = { kind: "permission-settled", subtask, attempt, request, call } as const;
  if (isAmong(turn.state.allowed, call))
    return emit(turn, { ...settled, allowed: true, because: "a person allowed it in this run" });
  const because = whyNotAsked(turn, input);
  if (because !== undefined) return emit(turn, { ...settled, allowed: false, because });
  const { plan, state } = subtaskNow(turn, subtask);
  const id = `${subtask}/c${state.checkpoints + 1}`;
  const dueAt = at + waitMs;
  const checkpoint = permissionQuestion({
    ...{ id, subtask, goal: plan.prompt, attempts: state.attempt, call },
    ...{ waiting: { attempt, request }, expiresAt: dueAt },
  });
  emit(turn, { kind: "checkpoint-opened", checkpoint });
  const timer = state.timers + 1;
  emit(turn, { kind: "expiry-scheduled", subtask, checkpoint: id, timer, dueAt });
}

const isAmong = (calls: readonly Refusal[], call: Refusal): boolean =>
  calls.some((other) => isSameRefusal(other, call));

/** The reason for refusing at once without asking; undefined if a person is to be asked. */
function whyNotAsked(turn: Turn, input: PermissionRequest): string | undefined {
  const { subtask, attempt, call, waitMs } = input;
  const { state: run } = turn;
  const { plan, state } = subtaskNow(turn, subtask);
  const running = state.running.find((other) => other.attempt === attempt);
  const risk = riskOf(call.command);
  if (waitMs <= 0) return "nobody is there to ask";
  if (run.unattended === true) return "nobody answered the last question of this kind in time";
  if (isAmong(state.declined, call)) return "a person wants it to go on without it";
  if (risk !== undefined && run.plan.never?.includes(risk) === true)
    return "a person never wants it";
  if (isReadOnlyCall(call) || isReadOnly(plan)) return "it can do without it";
  if (state.checkpoint !== undefined) return "another question of the subtask is open";
  if (run.phase !== "active" || running?.interrupted !== false) return "it is about to be stopped";
  return undefined;
}

export const permissionAnswered = (
  turn: Turn,
  checkpoint: Checkpoint,
  answer: Answer,
  by: string,
): void => close(turn, checkpoint, { answer, by, isPerson: true });

export const permissionExpired = (turn: Turn, checkpoint: Checkpoint): void =>
  close(turn, checkpoint, { answer: { kind: "without" }, by: NOBODY });

/** Closes the question when its attempt has ended or the subtask needs to ask something else. */
export function withdrawPermission(turn: Turn, subtask: string, attempt?: number): void {
  const { checkpoint } = subtaskNow(turn, subtask).state;
  if (checkpoint?.waiting === undefined) return;
  if (attempt !== undefined && checkpoint.waiting.attempt !== attempt) return;
  close(turn, checkpoint, { answer: { kind: "without" }, by: UNSTUCK });
}

interface Closing {
  readonly answer: Answer;
  readonly by: string;
  readonly isPerson?: true;
}

function close(turn: Turn, checkpoint: Checkpoint, { answer, by, isPerson }: Closing): void {
  const { id, subtask, waiting, context } = checkpoint;
  const [call] = context.refused ?? [];
  assert(waiting && call && subtask !== undefined, "what an agent waits for is one call");
  emit(turn, { kind: "checkpoint-closed", checkpoint: id, answer, by, subtask });
  const { running } = subtaskNow(turn, subtask).state;
  if (!running.some(({ attempt }) => attempt === waiting.attempt)) return;
  emit(turn, {
    ...{ kind: "permission-settled", subtask, ...waiting, call },
    allowed: answer.kind !== "without",
    ...(isPerson === true ? { by } : {}),
  });
}
