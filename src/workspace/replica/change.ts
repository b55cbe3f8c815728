/**
 * What one replica of a run hands on to the others: plain data that goes through JSON. A replica is the run's folder on
 * one machine; all replicas of a run have the same base. Refs are those of the run's clone, as object ids; a slot is what
 * it was leased for and at, and the snapshot that holds what stands in it. The objects travel beside it, in a bundle, or
 * within it, where they are but commits of trees that everybody has.
 */

/** A slot as every machine has to know it: work that goes on elsewhere starts from exactly this. */
export interface SlotFacts {
  /** What it is leased for: subtask and branch. */
  readonly lease: string;
  /** The commit it was leased at. */
  readonly commit: string;
  /** Label of the snapshot that holds what stands there. */
  readonly stands: string;
}

/** What this replica and the others had in common when it last was brought up to date or handed something on. */
export interface Known {
  readonly refs: Readonly<Record<string, string>>;
  readonly slots: Readonly<Record<string, SlotFacts>>;
}

export const NOTHING_KNOWN: Known = { refs: {}, slots: {} };

export interface Change {
  readonly version: 1;
  readonly run: string;
  readonly base: string;
  /** Refs that moved, and where to; null: the ref is gone. */
  readonly refs: Readonly<Record<string, string | null>>;
  /** Where the result stood before, where it is among the refs. */
  readonly resultFrom?: string;
  /** Slots that changed. */
  readonly slots: Readonly<Record<string, SlotFacts>>;
  /** Commits by their id, as git holds them (latin1 bytes), that no bundle brings. */
  readonly commits?: Readonly<Record<string, string>>;
  /** Whether a bundle goes with it. */
  readonly hasBundle: boolean;
}

export const isEmptyChange = ({ refs, slots }: Change): boolean =>
  Object.keys(refs).length + Object.keys(slots).length === 0;

/** What is known once everybody has the change. */
export function withChange(known: Known, change: Change): Known {
  const refs: Record<string, string> = { ...known.refs };
  for (const [ref, id] of Object.entries(change.refs)) {
    if (id === null) delete refs[ref];
    else refs[ref] = id;
  }
  return { refs, slots: { ...known.slots, ...change.slots } };
}

/** Changes that were made one after the other, as one: who comes late takes them over in one step. Bundles stay several. */
export function asOneChange([first, ...rest]: readonly [Change, ...Change[]]): Change {
  const all = [first, ...rest];
  const resultFrom = all.find((each) => each.resultFrom !== undefined)?.resultFrom;
  return {
    ...first,
    refs: Object.assign({}, ...all.map(({ refs }) => refs)) as Change["refs"],
    slots: Object.assign({}, ...all.map(({ slots }) => slots)) as Change["slots"],
    ...(resultFrom === undefined ? {} : { resultFrom }),
    commits: Object.assign({}, ...all.map(({ commits = {} }) => commits)) as Record<string, string>,
    hasBundle: all.some(({ hasBundle }) => hasBundle),
  };
}
