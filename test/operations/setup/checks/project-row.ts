/** A project by its files, and the checks that are found in it. */
type Files = Readonly<Record<string, string>>;

export interface Row {
  readonly name: string;
  readonly files: Files;
  readonly checks: readonly string[];
  /** Where it is asked for, below the root. */
  readonly at?: string;
  /** What is said to be left out. */
  readonly left?: readonly string[];
  readonly programs?: readonly string[];
}

/** A manifest with these scripts. */
export const scripts = (all: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ scripts: all, ...more });
