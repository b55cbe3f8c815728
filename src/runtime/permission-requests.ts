/**
 * The calls for which one attempt's agent waits until a person allows or refuses them (U21). Each is an input, and the
 * command `permit` answers it. Invariants: every request gets exactly one answer, at the latest when the attempt ends,
 * and it is no unless the journal says yes; requests of one subtask, and requests for the same call, are asked one
 * after the other, so that one answer can serve them all.
 */
import { refusalText, type Refusal } from "../core/agent-words/refusal.ts";
import { isQuiet } from "../core/adaptive/person-price.ts";
import type { Command } from "../core/run/command.ts";
import type { OverrunWatch } from "./overrun-watch.ts";
import { deliver, perRun, type RunUnderway } from "./ports.ts";
import { minuteOfDay } from "./time-of-day.ts";

export interface PermissionRequests {
  readonly ask: (call: Refusal) => Promise<boolean>;
  readonly settle: (request: number, allowed: boolean) => void;
  /** The attempt is over: open requests end. */
  readonly end: () => void;
}

/** An agent with more calls at once, or in all, does not expect a person to answer each of them. */
const MOST_AT_ONCE = 20;
const MOST_REQUESTS = 200;
const USUAL_WAIT_MS = 5 * 60_000;

/** The last request of each subtask and of each call. */
const lines = perRun(() => new Map<string, Promise<unknown>>());

export function permissionRequests(
  underway: RunUnderway,
  { subtask, attempt }: Extract<Command, { readonly kind: "start" }>,
  overrun: OverrunWatch | undefined,
): PermissionRequests {
  const open = new Map<number, (allowed: boolean) => void>();
  let requests = 0;
  let waiting = 0;
  let over = false;
  const settle = (request: number, allowed: boolean): void => {
    open.get(request)?.(allowed);
    open.delete(request);
  };
  const one = async (call: Refusal): Promise<boolean> => {
    const waitMs = waitFor(underway);
    if (over || waitMs === 0 || requests >= MOST_REQUESTS) return false;
    const request = (requests += 1);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    open.set(request, resolve);
    const asked = { kind: "permission-asked", subtask, attempt, request, call, waitMs } as const;
    const delivered = await deliver(underway, asked).catch(() => undefined);
    if (delivered?.recorded !== true) settle(request, false);
    return promise;
  };
  const inLine = (call: Refusal): Promise<boolean> => {
    const before = lines(underway);
    const names = [`subtask ${subtask}`, `call ${refusalText(call)}`];
    const answer = Promise.all(names.flatMap((name) => before.get(name) ?? [])).then(() =>
      one(call),
    );
    for (const name of names) before.set(name, answer);
    return answer.finally(() => {
      for (const name of names) if (before.get(name) === answer) before.delete(name);
    });
  };
  return {
    async ask(call) {
      if (over || waiting >= MOST_AT_ONCE || waitFor(underway) === 0) return false;
      const goOn = overrun?.hold();
      waiting += 1;
      return inLine(call).finally(() => {
        waiting -= 1;
        goOn?.();
      });
    },
    settle,
    end() {
      over = true;
      for (const request of [...open.keys()]) settle(request, false);
    },
  };
}

/** As the plan says; otherwise for a while if somebody may answer, and not at all during quiet hours. */
function waitFor({ plan, ports }: RunUnderway): number {
  const presence = ports.presence();
  const { permissionWaitMs = presence === "nobody" ? 0 : USUAL_WAIT_MS } = plan.plan;
  const hours = plan.policy.policy === "adaptive" ? plan.policy.quietHours : undefined;
  const isNight = isQuiet(hours, minuteOfDay(ports.clock.now(), ports.timeZone()));
  return isNight && presence !== "here" ? 0 : permissionWaitMs;
}
