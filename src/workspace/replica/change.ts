/**
 * What one replica of a run sends to the others, as plain JSON data. A replica is the run's folder on one machine; all
 * replicas of a run have the same base. Refs are those of the run's clone, as object ids. A slot is described by its
 * lease and the snapshot of its content. Git objects travel separately in a bundle, or inside the change if they are
 * only commits of trees that every replica has.
 */

/** What every machine must know about a slot: work that continues elsewhere starts from exactly this. */
export interface SlotFacts {
  /** What it is leased for: subtask and branch. */
  readonly lease: string;
  /** The commit it was leased at. */
  readonly commit: string;
  /** Label of the snapshot of its content. */
  readonly stands: string;
}

/** What this replica and the others had in common when it was last updated or last sent a change. */
export interface Known {
  readonly refs: Readonly<Record<string, string>>;
  readonly slots: Readonly<Record<string, SlotFacts>>;
}

export const NOTHING_KNOWN: Known = { refs: {}, slots: {} };

export interface Change {
  readonly version: 1;
  readonly run: string;
  readonly base: string;
  /** Refs that moved, and their new values; null if the ref was deleted. */
  readonly refs: Readonly<Record<string, string | null>>;
  /** The previous commit of the result, if the result is among the refs. */
  readonly resultFrom?: string;
  /** Slots that changed. */
  readonly slots: Readonly<Record<string, SlotFacts>>;
  /** Commits by id, in git's format (latin1 bytes), that no bundle contains. */
  readonly commits?: Readonly<Record<string, string>>;
  /** Whether a bundle belongs to the change. */
  readonly hasBundle: boolean;
}

export const isEmptyChange = ({ refs, slots }: Change): boolean =>
  Object.keys(refs).length + Object.keys(slots).length === 0;

/** What is known once every replica has the change. */
export function withChange(known: Known, change: Change): Known {
  const refs: Record<string, string> = { ...known.refs };
  for (const [ref, id] of Object.entries(change.refs)) {
    if (id === null) delete refs[ref];
    else refs[ref] = id;
  }
  return { refs, slots: { ...known.slots, ...change.slots } };
}

/**
 * Combines successive changes into one, so that a replica that is behind imports them in one step. The bundles stay
 * separate.
 */
export function combineChanges([first, ...rest]: readonly [Change, ...Change[]]): Change {
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
