/**
 * The storage of a simulated world: the journal's tables, what can go wrong when they are written, and who hears
 * of it. Invariant: every event is written down the moment it is durable, as it reads from its row.
 */
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { fold } from "../../../src/core/run/fold/fold.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import type { RunState } from "../../../src/core/run/state.ts";
import { JournalError } from "../../../src/journal/error.ts";
import { readEvent } from "../../../src/journal/event-text.ts";
import { ROW_VERSION } from "../../../src/journal/row-text.ts";
import type { OwnerProcess } from "../../../src/journal/owners.ts";
import type { Chance } from "./chance.ts";
import type { Happening } from "./history.ts";
import type { Storage } from "./memory-journal.ts";
import { memoryStore } from "./memory-store.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface StorageOptions {
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly record: (happening: Happening) => void;
  readonly writeFaultRate: number;
  readonly isDead: (owner: OwnerProcess) => boolean;
  /** Told of each event once it is durable. */
  readonly onEvent: (event: RunEvent) => void;
}

export interface WatchedStorage extends Storage {
  /** Folded from what is durable. */
  readonly state: () => RunState;
  /** Nothing can be written for so long. */
  fill(forMs: number): void;
}

export function watchedStorage(options: StorageOptions): WatchedStorage {
  const { time, chance, record } = options;
  let state = NEW_RUN;
  let fullUntil = 0;
  return {
    store: memoryStore(),
    watchers: new Set(),
    time,
    chance,
    isDead: options.isDead,
    fault() {
      if (time.now() < fullUntil) return new JournalError("disk-full", "simulated: no room");
      return chance.happens(options.writeFaultRate)
        ? new JournalError("io-error", "simulated: the disk gave an error")
        : undefined;
    },
    onCommit({ events }, from, by) {
      for (const [index, text] of events.slice(from).entries()) {
        const seq = from + index + 1;
        const event = readEvent(ROW_VERSION, text, `Event ${seq}`);
        record({ kind: "committed", seq, event, by: by.name });
        state = folded(state, event);
        options.onEvent(event);
      }
    },
    state: () => state,
    fill(forMs) {
      fullUntil = Math.max(fullUntil, time.now() + forMs);
    },
  };
}

/** What cannot be folded is for the properties to judge. */
function folded(state: RunState, event: RunEvent): RunState {
  try {
    return fold(state, event);
  } catch {
    return state;
  }
}
