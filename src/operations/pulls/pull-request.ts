/**
 * Pushes a run's result to a remote of the user's and opens a pull request with their `gh`, with the run's report as
 * its text, only on a person's command. Invariants: never force-pushes, never pushes to the target branch; only a
 * verified result, unless the person says otherwise; the text goes through the run's redaction (U12); a second call
 * reports the existing pull request.
 */
import type { z } from "zod";
import { cleanLine } from "../../core/foreign-text.ts";
import { asResult } from "../../workspace/base/refusal.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { resultTip } from "../../workspace/git/commits.ts";
import { countLines } from "../../workspace/git/read-objects.ts";
import { publish } from "../../workspace/result/publish.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, notNow, operation, ProblemError, type Context } from "../operation.ts";
import { redactionOfRun } from "../redaction.ts";
import { runTool } from "../run-tool.ts";
import { accepted, withRun, workspaceOf, type OpenRun } from "../runs/open-run.ts";
import { recordedRun } from "../runs/recorded.ts";
import { reportRun } from "../report/report.ts";
import { startedWith } from "../runs/started-with.ts";
import { chosenRemote, comparePage, remoteBranches, webRepository } from "./remotes.ts";
import { createRequest, knownRequest, type KnownRequest, type PullPlan } from "./github.ts";
import { bodyOf } from "./report-body.ts";
import type { openPullRequest as schemas } from "./schemas.ts";

type Input = z.infer<typeof schemas.input>;
type Output = z.infer<typeof schemas.output>;

const PUSH_LIMIT_MS = 10 * 60_000;

export const openPullRequest = operation({
  name: "pr",
  schemas: async () => (await import("./schemas.ts")).openPullRequest,
  run(context, input): Promise<Output> {
    refuseInsideAttempt("pr");
    return withRun(context, input.run, async (open) => {
      const { run, outcome, goal } = await resultOf(open, input.unverified === true);
      const redaction = redactionOfRun(open.home.runDir(run.id));
      const commit = await resultTip(run);
      const plan = await planOf(run, input, cleanLine(redaction.text(input.title ?? goal), 72));
      const { files, added, removed } = accepted(
        run.id,
        await asResult(() => countLines({ ...run, control: {} }, { from: run.base, to: commit })),
      );
      if (files.length === 0)
        throw notNow(run.id, `run ${run.id} changed no files: there is nothing to open`);
      const there = await remoteBranches(run.root, plan.remote, [plan.branch, plan.base]);
      refuseWithoutBase(plan, there);
      const known = await knownRequest(run.root, plan);
      const pushed = there.get(plan.branch) === commit;
      const facts = {
        ...{ run: run.id, repository: run.root, outcome, commit },
        ...{ remote: plan.remote, remoteUrl: plan.url, branch: plan.branch, base: plan.base },
        ...{ title: plan.title, draft: input.draft === true },
        ...{ files: files.length, added, removed },
      };
      if (input.dryRun === true) return { ...facts, pushed, ...before(known, plan) };
      if (!pushed) await push(run, plan, commit);
      if (known.kind !== "none") return { ...facts, pushed: true, ...after(known, plan) };
      const body = bodyOf(redaction.text(await reportText(context, run.id)), run.id);
      const url = await createRequest(run.root, plan, { body, draft: input.draft === true });
      return { ...facts, pushed: true, state: "opened", url };
    });
  },
});

type End = Pick<Output, "state" | "url" | "requestState">;

function before(known: KnownRequest, plan: PullPlan): End {
  if (known.kind === "none") return { state: "would-open" };
  return known.kind === "no-gh"
    ? { ...after(known, plan), state: "would-push" }
    : after(known, plan);
}

function after(
  known: Exclude<KnownRequest, { kind: "none" }>,
  { web, base, branch }: PullPlan,
): End {
  if (known.kind === "there")
    return { state: "there", url: known.url, ...defined({ requestState: known.state }) };
  return { state: "pushed", ...defined({ url: web && comparePage(web, base, branch) }) };
}

/** The run, if its result may be shown to others. */
async function resultOf(open: OpenRun, isUnverifiedFine: boolean) {
  const { id } = open.row;
  const { state } = await recordedRun(open.journal, id);
  const run = await workspaceOf(open);
  const { inPlace } = await startedWith(open.journal, id);
  const { outcome, plan } = state;
  if (inPlace === true)
    throw notNow(id, `run ${id} worked in your own checkout: commit and push it with git`);
  if (run.withChanges)
    throw notNow(
      id,
      `run ${id} started from uncommitted changes, which would be pushed too: take its result with unstuck apply ${id}, commit, and push with git`,
    );
  if (outcome === undefined)
    throw notNow(id, `run ${id} has not ended yet: see unstuck status ${id}`);
  if (outcome.kind !== "verified" && !isUnverifiedFine)
    throw notNow(
      id,
      `run ${id} is not verified (${outcome.kind}); to open a pull request anyway: unstuck pr ${id} --unverified`,
    );
  return { run, outcome, goal: plan.goal };
}

async function planOf(run: Run, input: Input, title: string): Promise<PullPlan> {
  const { name: remote, url } = await chosenRemote(run.root, input.remote);
  const branch = input.branch ?? `unstuck/${run.id}`;
  const base = input.base ?? run.branch;
  if (base === null)
    throw new ProblemError(
      "bad-input",
      `run ${run.id} started from no branch: name one to merge into with --base`,
    );
  for (const [flag, name] of [
    ["branch", branch],
    ["base", base],
  ] as const) {
    const checked = await runTool("git", ["check-ref-format", `refs/heads/${name}`], {
      cwd: run.root,
    });
    if (checked?.code !== 0 || name.startsWith("-"))
      throw new ProblemError("bad-input", `--${flag}: ${cleanLine(name, 80)} is not a branch name`);
  }
  if (branch === base)
    throw new ProblemError(
      "bad-input",
      `--branch: ${cleanLine(branch, 80)} is what it is to be merged into; choose another name`,
    );
  return { remote, url, branch, base, title, ...defined({ web: webRepository(url) }) };
}

function refuseWithoutBase({ remote, base }: PullPlan, there: ReadonlyMap<string, string>): void {
  if (!there.has(base))
    throw new ProblemError(
      "bad-input",
      `${cleanLine(remote, 60)} has no branch ${cleanLine(base, 80)}: push it, or name another with --base`,
    );
}

async function push(run: Run, { remote, branch }: PullPlan, commit: string): Promise<void> {
  accepted(run.id, await asResult(() => publish({ ...run, control: {} })));
  const args = ["push", "--", remote, `${commit}:refs/heads/${branch}`];
  const pushed = await runTool("git", args, { cwd: run.root, limitMs: PUSH_LIMIT_MS });
  if (pushed?.code === 0) return;
  const said = pushed?.stderr ?? "";
  throw new ProblemError(
    "failed",
    /non-fast-forward|fetch first|\(stale info\)/.test(said)
      ? `${cleanLine(remote, 60)} already has ${cleanLine(branch, 80)} with other commits; nothing was overwritten. Choose another name with --branch`
      : `git push to ${cleanLine(remote, 60)} failed: ${pushed === undefined ? "git was not found" : pushWords(said)}`,
    { run: run.id },
  );
}

/** The line of git's output that gives the reason. */
const pushWords = (said: string): string => {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  const why = lines.find((line) => /^(?:fatal|error|ERROR|remote: error| ! \[)/.test(line));
  return cleanLine(why ?? lines.at(-1) ?? "no reason was given", 300);
};

async function reportText(context: Context, run: string): Promise<string> {
  const reported = await reportRun.run(context, { run });
  if (reported.ok) return reported.value.markdown;
  throw new ProblemError(reported.problem.code, reported.problem.message);
}
