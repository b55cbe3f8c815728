/**
 * Reads the open issues of the user's repository through their own `gh`: number, title, labels and text, as documents
 * from which a plan is made. All of it is foreign text. Nothing is changed there.
 */
import { fieldsOf, listOf, textOf } from "../../agents/output/json.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { SourceDocument } from "../../core/plan/plan-request.ts";
import { ProblemError } from "../operation.ts";
import { runGh, toolWords } from "../run-tool.ts";

export interface IssueChoice {
  readonly label?: string | undefined;
  readonly limit?: number | undefined;
}

const ISSUES_USUAL = 20;

export async function openIssues(
  cwd: string,
  { label, limit = ISSUES_USUAL }: IssueChoice,
  signal: AbortSignal | undefined,
): Promise<readonly SourceDocument[]> {
  const args = ["issue", "list", "--state", "open", "--limit", String(limit)];
  if (label !== undefined) args.push("--label", label);
  const listed = await runGh([...args, "--json", "number,title,body,labels"], { cwd, signal });
  if (listed === undefined)
    throw new ProblemError(
      "bad-input",
      "--from-issues needs the GitHub CLI: install gh (https://cli.github.com), then gh auth login",
    );
  if (listed.code !== 0)
    throw new ProblemError("failed", `gh could not list the issues: ${toolWords(listed)}`);
  const issues = read(listed.stdout);
  if (issues.length === 0)
    throw new ProblemError(
      "not-found",
      label === undefined
        ? "there are no open issues here"
        : `there are no open issues with the label ${cleanLine(label, 60)}`,
    );
  return issues;
}

function read(json: string): readonly SourceDocument[] {
  try {
    return listOf(JSON.parse(json)).map((issue) => {
      const { number, title, body, labels } = fieldsOf(issue);
      const names = listOf(labels).map((label) => textOf(fieldsOf(label)["name"]));
      const tags = names.length === 0 ? "" : `\nLabels: ${names.join(", ")}`;
      return {
        name: `Issue #${Number(number)}`,
        text: `${textOf(title)}${tags}\n\n${textOf(body)}`,
      };
    });
  } catch {
    throw new ProblemError("failed", "gh printed a list of issues that cannot be read");
  }
}
