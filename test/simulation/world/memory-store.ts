/**
 * The journal's tables in memory, with the meaning of one transaction for each operation. What is in them is
 * durable. Invariants: as those of the journal: an append needs the claim of the last epoch and the expected
 * place; an inbox row goes with the append it led to; a claim is refused while its owner is not proven dead.
 */
import type { RunInput } from "../../../src/core/run/input.ts";
import { JournalError } from "../../../src/journal/error.ts";
import type { Append, Appended } from "../../../src/journal/journal.ts";
import type { Claim, OwnerProcess } from "../../../src/journal/owners.ts";
import type { StoredSnapshot } from "../../../src/journal/reader.ts";

export interface StoredRun {
  readonly id: string;
  readonly number: number;
  readonly created: number;
  epoch: number;
  phase: string;
  outcome: string | undefined;
  changed: number | undefined;
  owner: OwnerProcess | undefined;
  snapshot: StoredSnapshot | undefined;
  readonly events: string[];
  readonly inbox: { readonly id: number; readonly text: string }[];
}

export interface MemoryStore {
  readonly incidents: Map<string, string>;
  run(id: string): StoredRun | undefined;
  all(): readonly StoredRun[];
  make(id: string, at: number): StoredRun;
  append(append: Append): Appended;
  saveSnapshot(claim: Claim, snapshot: StoredSnapshot): void;
  post(id: string, input: RunInput, text: string): void;
  claim(
    id: string,
    at: number,
    self: OwnerProcess,
    isDead: (owner: OwnerProcess) => boolean,
  ): Claim;
  release(claim: Claim): void;
}

export function memoryStore(): MemoryStore {
  const runs = new Map<string, StoredRun>();
  let posted = 0;
  const make = (id: string, created: number): StoredRun => {
    const known = runs.get(id);
    if (known !== undefined) return known;
    const fresh: StoredRun = {
      ...{ id, number: runs.size + 1, created, epoch: 0, phase: "new", events: [], inbox: [] },
      ...{ outcome: undefined, changed: undefined, owner: undefined, snapshot: undefined },
    };
    runs.set(id, fresh);
    return fresh;
  };
  const claimed = ({ run, epoch }: Claim): StoredRun | undefined => {
    const row = runs.get(run);
    return row?.epoch === epoch ? row : undefined;
  };
  return {
    incidents: new Map(),
    run: (id) => runs.get(id),
    all: () => [...runs.values()],
    make,
    append({ claim, expected, events, taken, phase, outcome, at }) {
      const row = claimed(claim);
      const seq = runs.get(claim.run)?.events.length ?? 0;
      if (row === undefined) return { ok: false, why: "owner", seq };
      if (seq !== expected) return { ok: false, why: "sequence", seq };
      row.events.push(...events);
      if (events.length > 0) Object.assign(row, { phase, outcome, changed: at });
      for (const id of taken) remove(row.inbox, id);
      return { ok: true, seq: row.events.length };
    },
    saveSnapshot(claim, snapshot) {
      const row = claimed(claim);
      if (row !== undefined) row.snapshot = snapshot;
    },
    post(id, input, text) {
      const row = input.kind === "run-started" ? make(id, input.at) : runs.get(id);
      if (row === undefined) throw new JournalError("unknown-run", `There is no run ${id}.`);
      row.inbox.push({ id: (posted += 1), text });
    },
    claim(id, at, self, isDead) {
      const row = make(id, at);
      if (row.owner !== undefined && !isDead(row.owner))
        throw new JournalError("run-owned", `Run ${id} is owned by ${row.owner.pid}.`);
      row.owner = self;
      row.epoch += 1;
      return { run: id, number: row.number, epoch: row.epoch };
    },
    release(claim) {
      const row = claimed(claim);
      if (row === undefined) return;
      row.owner = undefined;
      row.epoch += 1;
    },
  };
}

function remove(rows: { readonly id: number }[], id: number): void {
  const index = rows.findIndex((row) => row.id === id);
  if (index >= 0) rows.splice(index, 1);
}
