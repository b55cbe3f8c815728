/**
 * The pull request itself, through the user's own `gh`: whether the branch has one already, and opening it. The text is
 * passed in a temporary file. gh never prompts; its error message is passed on in one line.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseFields, textOf } from "../../agents/output/json.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { defined, ProblemError } from "../operation.ts";
import { runGh, toolWords } from "../run-tool.ts";
import type { WebRepository } from "./remotes.ts";

export interface PullPlan {
  readonly remote: string;
  readonly url: string;
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  /** Absent if the remote's address does not reveal it. */
  readonly web?: WebRepository;
}

export type KnownRequest =
  | { readonly kind: "none" }
  | { readonly kind: "there"; readonly url: string; readonly state?: string }
  /** There is no gh, or it does not support this remote. */
  | { readonly kind: "no-gh" };

/** gh takes the repository from its folder, unless the remote's address identifies it. */
const inRepository = ({ web }: PullPlan): readonly string[] =>
  web === undefined ? [] : ["--repo", `${web.host}/${web.path}`];

const NOT_LOGGED_IN = 4;

export async function knownRequest(root: string, plan: PullPlan): Promise<KnownRequest> {
  if (plan.web?.kind === "gitlab") return { kind: "no-gh" };
  const args = ["pr", "view", plan.branch, "--json", "url,state", ...inRepository(plan)];
  const seen = await runGh(args, { cwd: root });
  if (seen === undefined) return { kind: "no-gh" };
  if (seen.code === NOT_LOGGED_IN)
    throw new ProblemError("not-now", "gh is not logged in; nothing was pushed: gh auth login");
  const fields = seen.code === 0 ? parseFields(seen.stdout.trim()) : undefined;
  const url = cleanLine(textOf(fields?.["url"]), 500);
  const state = cleanLine(textOf(fields?.["state"]), 20).toLowerCase() || undefined;
  return url === "" ? { kind: "none" } : { kind: "there", url, ...defined({ state }) };
}

/** Returns its address. */
export async function createRequest(
  root: string,
  plan: PullPlan,
  { body, draft }: { readonly body: string; readonly draft: boolean },
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-pr-"));
  try {
    const file = join(folder, "body.md");
    writeFileSync(file, body, { mode: 0o600 });
    const args = ["pr", "create", "--head", plan.branch, "--base", plan.base];
    args.push("--title", plan.title, "--body-file", file, ...inRepository(plan));
    if (draft) args.push("--draft");
    const made = await runGh(args, { cwd: root });
    const url = made?.code === 0 ? /https?:\/\/\S{1,500}/.exec(made.stdout)?.[0] : undefined;
    if (url !== undefined) return cleanLine(url, 500);
    const why = made === undefined ? "gh was not found" : toolWords(made);
    throw new ProblemError(
      "failed",
      `${cleanLine(plan.branch, 80)} is pushed to ${cleanLine(plan.remote, 60)}, but gh could not open the pull request: ${why}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
