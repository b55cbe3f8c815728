/**
 * Which check tree is free: the lowest number that nobody of this process holds. Invariants: a tree that a process
 * which is gone has lent is given to nobody before its checks are proven dead; of those that are free, no more
 * stay than `most`.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

export interface CheckPool {
  take(attemptId: string): Promise<number>;
  free(number: number): Promise<void>;
}

export function checkPool(options: {
  readonly first: number;
  /** Where the name of whoever has the tree stands. */
  readonly holderFile: (number: number) => string;
  readonly untilDead: (attemptId: string) => Promise<void>;
  /** So many trees stay when nobody has them. */
  readonly most: number;
  readonly remove: (number: number) => Promise<void>;
}): CheckPool {
  const taken = new Set<number>();
  return {
    async take(attemptId) {
      let number = options.first;
      while (taken.has(number)) number += 1;
      taken.add(number);
      try {
        const file = options.holderFile(number);
        const before = await readFile(file, "utf8").catch(() => "");
        if (before !== "") await options.untilDead(before);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, attemptId);
      } catch (error) {
        taken.delete(number);
        throw error;
      }
      return number;
    },
    async free(number) {
      if (number >= options.first + options.most) await options.remove(number);
      await rm(options.holderFile(number), { force: true });
      taken.delete(number);
    },
  };
}
