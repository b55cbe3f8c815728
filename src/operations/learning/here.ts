/** The repository that a learning operation is about, and the only way to change what is known of it. */
import { NOTHING_LEARNED, readLearning } from "../../core/learning/repository-learning.ts";
import type { RepositoryLearning } from "../../core/learning/repository-learning.ts";
import { repositoryAt } from "../../workspace/repository/find-repository.ts";
import { ownRemotes } from "../fleet/own-remotes.ts";
import { ProblemError, type Context } from "../operation.ts";
import { withHome, type OpenHome } from "../runs/open-run.ts";

/**
 * A linked worktree learns on its own, because its runs are its own. A fleet's runs teach for all clones of their
 * remote.
 */
async function repositoryHere({ cwd }: Context): Promise<string> {
  const found = await repositoryAt(cwd);
  if (found.ok) return (await ownRemotes(found.value.root))[0] ?? found.value.root;
  throw new ProblemError(
    "not-found",
    "this folder is not in a git repository: what was learned is kept for each repository",
  );
}

export const withHere = async <T>(
  context: Context,
  body: (open: OpenHome, repository: string) => Promise<T>,
): Promise<T> => {
  const repository = await repositoryHere(context);
  return withHome((open) => body(open, repository));
};

/** Knowledge before and after the change; a repository without knowledge is not stored. */
export async function changeLearning(
  { journal }: OpenHome,
  repository: string,
  change: (known: RepositoryLearning) => RepositoryLearning,
): Promise<{ readonly before: RepositoryLearning; readonly after: RepositoryLearning }> {
  let [before, after] = [NOTHING_LEARNED, NOTHING_LEARNED];
  await journal.learned.change(repository, Date.now(), (text) => {
    before = readLearning(text);
    after = change(before);
    return text === undefined && after === before ? undefined : JSON.stringify(after);
  });
  return { before, after };
}
