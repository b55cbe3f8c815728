/** Which runs belong to the repository in which a server was started; git is asked again after some seconds. */
import { isOf, repositoryHere } from "../runs/find-run.ts";

export function ownRepository(cwd: string, everyMs: number) {
  let here: Awaited<ReturnType<typeof repositoryHere>>;
  let looked = 0;
  const known = new Map<string, boolean>();
  const look = async (repo: string): Promise<void> => {
    known.set(repo, here !== undefined && (await isOf(here, repo)));
  };
  return {
    isInside: (): boolean => here !== undefined,
    /** For a repository that was passed to `learn`. */
    isOwn: (repo: string): boolean => known.get(repo) === true,
    /** Returns whether any known answer changed. */
    async learn(rows: readonly { readonly repo: string }[]): Promise<boolean> {
      const before = new Map(known);
      if (Date.now() - looked >= everyMs) {
        looked = Date.now();
        here = await repositoryHere(cwd);
        for (const repo of before.keys()) await look(repo);
      }
      for (const { repo } of rows) if (!known.has(repo)) await look(repo);
      return [...before].some(([repo, isOwn]) => known.get(repo) !== isOwn);
    },
  };
}
