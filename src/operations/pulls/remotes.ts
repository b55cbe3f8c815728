/**
 * The remotes of the user's repository, and a remote's web page if its address reveals it: for a pull request.
 * Addresses are foreign text; credentials in them are removed.
 */
import { cleanLine } from "../../core/foreign-text.ts";
import { ProblemError } from "../operation.ts";
import { runTool, toolWords } from "../run-tool.ts";

export interface Remote {
  readonly name: string;
  /** Without credentials. */
  readonly url: string;
}

/** The remote that is named, otherwise the only one. */
export async function chosenRemote(root: string, asked: string | undefined): Promise<Remote> {
  const listed = await runTool("git", ["remote"], { cwd: root });
  const names = (listed?.stdout ?? "").split("\n").filter((name) => name !== "");
  const shown = names.slice(0, 10).map((name) => `--remote ${cleanLine(name, 60)}`);
  if (names.length === 0)
    throw new ProblemError(
      "bad-input",
      "this repository has no remote to push to: git remote add origin <url>",
    );
  if (asked !== undefined && !names.includes(asked))
    throw new ProblemError(
      "bad-input",
      `there is no remote ${cleanLine(asked, 60)}: use ${shown.join(" or ")}`,
    );
  const name = asked ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined)
    throw new ProblemError("bad-input", `there are several remotes: add ${shown.join(" or ")}`);
  const found = await runTool("git", ["remote", "get-url", "--push", "--", name], { cwd: root });
  return { name, url: withoutCredentials(found?.stdout.trim() ?? "") };
}

export const withoutCredentials = (url: string): string =>
  url.replace(/^(https?:\/\/)[^/@]{0,1000}@/, "$1");

/** The commit of each of these branches of a remote; missing branches have no entry. */
export async function remoteBranches(
  root: string,
  remote: string,
  branches: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const refs = branches.map((branch) => `refs/heads/${branch}`);
  const listed = await runTool("git", ["ls-remote", "--", remote, ...refs], { cwd: root });
  if (listed?.code !== 0)
    throw new ProblemError(
      "failed",
      `cannot reach ${cleanLine(remote, 60)}: ${listed === undefined ? "git was not found" : toolWords(listed)}`,
    );
  return new Map(
    listed.stdout.split("\n").flatMap((line) => {
      const [commit = "", ref = ""] = line.split("\t");
      return ref.startsWith("refs/heads/") ? [[ref.slice("refs/heads/".length), commit]] : [];
    }),
  );
}

export interface WebRepository {
  readonly host: string;
  /** `owner/name`; on GitLab with possibly more folders. */
  readonly path: string;
  readonly kind: "github" | "gitlab";
}

const ADDRESS =
  /^(?:(?:https?|ssh|git):\/\/(?:[^/@]{1,200}@)?([A-Za-z0-9.-]{1,200})(?::\d{1,5})?\/|(?:[\w.-]{1,100}@)?([A-Za-z0-9.-]{2,200}):(?!\/))([\w.~/-]{1,300}?)(?:\.git)?\/?$/;

/** Undefined for a folder or an unknown kind of address. */
export function webRepository(url: string): WebRepository | undefined {
  const [, first, second, path = ""] = ADDRESS.exec(url) ?? [];
  const host = first ?? second;
  if (host === undefined || !host.includes(".")) return undefined;
  const parts = path.split("/");
  if (parts.length < 2 || parts.some((part) => part === "" || part === "." || part === ".."))
    return undefined;
  const isGitlab = host.split(".").includes("gitlab");
  if (!isGitlab && parts.length !== 2) return undefined;
  return { host, path, kind: isGitlab ? "gitlab" : "github" };
}

/** The page on which a person can open the pull request. */
export function comparePage(
  { host, path, kind }: WebRepository,
  base: string,
  branch: string,
): string {
  const page = `https://${host}/${path}`;
  const name = (text: string): string => text.split("/").map(encodeURIComponent).join("/");
  return kind === "github"
    ? `${page}/compare/${name(base)}...${name(branch)}?expand=1`
    : `${page}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}` +
        `&merge_request%5Btarget_branch%5D=${encodeURIComponent(base)}`;
}
