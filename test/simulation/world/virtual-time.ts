/**
 * Virtual time: a queue of what is to happen, and a wall clock that may be set wrong. Invariants: `now` never goes
 * back and moves only from one task to the next; tasks of one moment run in an order the seed decides; an alarm is
 * never lost, whatever the wall clock does.
 */
import type { Clock } from "../../../src/runtime/ports.ts";
import type { Chance } from "./chance.ts";

export interface VirtualTime {
  /** Milliseconds since the world began, as nobody inside can see them. */
  now(): number;
  /** Epoch milliseconds, as everybody inside sees them. */
  wall(): number;
  after(delayMs: number, task: () => void): () => void;
  /** Sets the wall clock forward (also: the machine slept) or back. */
  jump(ms: number): void;
  /** Runs the next task; false if there is none. */
  step(): boolean;
  /** How many tasks were ever planned: tells whether anything happens at this moment. */
  planned(): number;
  clock(): Clock;
}

interface Task {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

interface Alarm {
  readonly time: number;
  /** By the steady clock: after this moment it rings even if the wall clock was put back. */
  readonly latest: number;
  readonly ring: () => void;
  cancel: () => void;
}

const WALL_START = Date.UTC(2031, 4, 5, 6, 7, 8);
/** How far the wall clock and the steady clock may differ before the steady one is believed. */
const PUT_BACK_MS = 1000;
/** An alarm notices a jump forward no later than this. */
const LOOK_AGAIN_MS = 15_000;

export function virtualTime(chance: Chance): VirtualTime {
  const tasks: Task[] = [];
  const alarms = new Set<Alarm>();
  let now = 0;
  let offset = 0;
  let planned = 0;

  const wall = (): number => WALL_START + now + offset;
  const after = (delayMs: number, run: () => void): (() => void) => {
    planned += 1;
    const task = { at: now + Math.max(0, Math.ceil(delayMs)), order: chance.next(), run };
    insert(tasks, task);
    return () => {
      const index = tasks.indexOf(task);
      if (index >= 0) tasks.splice(index, 1);
    };
  };
  const plan = (alarm: Alarm, late: number): void => {
    const left = Math.min(alarm.time - wall(), alarm.latest - now);
    alarm.cancel = after(Math.max(0, left) + late, () => {
      alarms.delete(alarm);
      alarm.ring();
    });
  };
  return {
    now: () => now,
    wall,
    after,
    jump(ms) {
      offset += ms;
      for (const alarm of alarms) {
        alarm.cancel();
        plan(alarm, ms > 0 ? chance.between(0, LOOK_AGAIN_MS) : 0);
      }
    },
    step() {
      const task = tasks.pop();
      if (task === undefined) return false;
      now = task.at;
      task.run();
      return true;
    },
    planned: () => planned,
    clock: () => ({
      now: wall,
      at(time, ring) {
        const latest = now + (time - wall()) + PUT_BACK_MS;
        const alarm: Alarm = { time, latest, ring, cancel: () => undefined };
        alarms.add(alarm);
        plan(alarm, 0);
        return () => {
          alarm.cancel();
          alarms.delete(alarm);
        };
      },
    }),
  };
}

/** Latest first, so that the next one is at the end. */
function insert(tasks: Task[], task: Task): void {
  let index = tasks.length;
  while (index > 0 && before(tasks[index - 1], task)) index -= 1;
  tasks.splice(index, 0, task);
}

const before = (a: Task | undefined, b: Task): boolean =>
  a !== undefined && (a.at < b.at || (a.at === b.at && a.order < b.order));
