/**
 * What was learned from the runs of a fleet, one text per repository, as small objects of the engine. Invariants: a
 * change is applied only to the text it was computed from; the texts of repositories not updated for longest are
 * dropped first.
 */
import type { Incidents } from "../../journal/journal.ts";
import type { Learned } from "../../journal/learned.ts";

const LIST = "learned";
const REPOSITORIES_MAX = 100;

const keyOf = (repository: string): string => `learned ${repository}`;

export function fleetLearned(incidents: Incidents): Learned {
  const repositories = (): Promise<readonly string[]> =>
    incidents.change(LIST, (text) => ({ next: text, answer: listIn(text) }));
  const textOf = (repository: string): Promise<string | undefined> =>
    incidents.change(keyOf(repository), (text) => ({ next: text, answer: text }));
  return {
    async all() {
      const found = [];
      for (const repository of await repositories()) {
        const text = await textOf(repository);
        if (text !== undefined) found.push({ repository, text });
      }
      return found;
    },
    async change(repository, _, change) {
      await incidents.change(keyOf(repository), (text) => ({
        ...{ next: change(text), answer: undefined },
      }));
      const forgotten = await incidents.change(LIST, (text) => {
        const known = [repository, ...listIn(text).filter((one) => one !== repository)];
        const next = JSON.stringify(known.slice(0, REPOSITORIES_MAX));
        return { next, answer: known.slice(REPOSITORIES_MAX) };
      });
      for (const one of forgotten)
        await incidents.change(keyOf(one), () => ({ next: undefined, answer: undefined }));
    },
  };
}

/** Most recently changed first. */
const listIn = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : (JSON.parse(text) as readonly string[]);
