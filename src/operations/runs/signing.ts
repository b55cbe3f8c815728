/** A run's commits are never signed: what a person who signs theirs is told of that. */
import { signsCommits } from "../../workspace/repository/inspect.ts";

/** For the start of a run. */
export const unsignedNote = async (root: string): Promise<readonly string[]> =>
  (await signsCommits(root))
    ? [
        "note: you sign your commits (commit.gpgsign), this run's commits are not signed; " +
          "unstuck apply shows the command that signs them",
      ]
    : [];

/** What signs the commits on top of where the branch stood; nothing for a person who does not sign. */
export async function signingCommand(
  root: string,
  before: string | null,
): Promise<string | undefined> {
  const from = before === null ? "--root" : before.slice(0, 12);
  return (await signsCommits(root))
    ? `git rebase --rebase-merges --force-rebase --gpg-sign ${from}`
    : undefined;
}
