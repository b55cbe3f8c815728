/**
 * `unstuck pr`: pushes a run's result and opens a pull request. Shows what it will do, and does it only after a yes or
 * with --yes. Foreign names are sanitized.
 */
import type { Command } from "commander";
import type { InputOf, OutputOf } from "../../operations/operation.ts";
import { openPullRequest } from "../../operations/pulls/pull-request.ts";
import { cleanLine, count } from "../../operations/text.ts";
import { commandOnRun, EXIT, perform, styled, textColumns, write, writeJson } from "../io.ts";
import type { Flags } from "../io.ts";
import { UsageError } from "../read-input.ts";
import { sameCommandWith } from "../same-command.ts";
import { folded, wrapped } from "../screen/line.ts";
import { canAsk, isAgreed } from "../typed-answers.ts";

type Request = OutputOf<typeof openPullRequest>;
type PrFlags = Flags<InputOf<typeof openPullRequest>> & { readonly yes?: boolean };

export function pr(): Command {
  return commandOnRun("pr")
    .description(
      "Pushes a run's result to your remote and opens a pull request with the run's report as its text. Asks first.",
    )
    .option("--remote <name>", "where to push (default: the only remote)")
    .option("--branch <name>", "the branch's name there (default: that of the result)")
    .option("--base <branch>", "what it is to be merged into (default: where the run started)")
    .option("--title <text>", "the title (default: the run's goal)")
    .option("--draft", "open it as a draft")
    .option("--unverified", "also a result that is not verified")
    .option("--dry-run", "only show what would be done")
    .option("-y, --yes", "do it without asking")
    .option("--json", "as JSON")
    .action(async (run: string | undefined, flags: PrFlags) => {
      process.exitCode = await opened(run, flags);
    });
}

async function opened(
  run: string | undefined,
  { json = false, yes = false, ...flags }: PrFlags,
): Promise<number> {
  const { dryRun = false } = flags;
  if (!dryRun && !yes && (json || !canAsk()))
    throw new UsageError(
      `there is no terminal to ask at; nothing was pushed. To do it anyway:\n  ${sameCommandWith(["--yes"])}\nOnly to see it:\n  ${sameCommandWith(["--dry-run"])}`,
    );
  const input = { ...flags, run };
  const planned = await perform(openPullRequest, { ...input, dryRun: true });
  const isDone = planned.state === "there" && planned.pushed;
  if (!json && !isDone) for (const line of plannedLines(planned)) write(line);
  if (!dryRun && !isDone && !yes && !(await isAgreed(questionFor(planned)))) {
    write("Nothing was pushed.");
    return EXIT.needsPerson;
  }
  const done = dryRun || isDone ? planned : await perform(openPullRequest, input);
  if (json) writeJson(done);
  else if (!dryRun || isDone) for (const line of doneLines(done)) write(line);
  return EXIT.ok;
}

function questionFor({ state }: Request): string {
  if (state === "there") return "Push to it?";
  return state === "would-push" ? "Push the branch?" : "Push the branch and open it?";
}

const LABEL = 8;

function plannedLines(request: Request): readonly string[] {
  const { run, outcome, remote, remoteUrl, branch, base, title, draft, pushed, state } = request;
  const changes = `${count(request.files, "file")}, +${request.added} -${request.removed}`;
  const rows: readonly (readonly [string, string])[] = [
    ["run", `${run} (${outcome.kind === "verified" ? "verified" : "not verified"})`],
    ["changes", changes],
    ["push", pushed ? "already there" : `${branch} to ${remote}`],
    ["remote", remoteUrl],
    ["into", base],
    ["title", title],
    ["text", `the run's report: unstuck report ${run}`],
    ...(draft ? [["draft", "yes"] as const] : []),
  ];
  const width = textColumns();
  return [
    styled("bold", "Pull request"),
    ...rows.flatMap(([label, text]) => {
      const parts = folded(cleanLine(text, 400), Math.max(8, width - LABEL - 2));
      return parts.map((part, index) => {
        const head = (index === 0 ? label : "").padEnd(LABEL);
        return `  ${styled("dim", head)}${part}`;
      });
    }),
    ...(state === "would-push"
      ? wrapped(
          "There is no gh for this remote: the branch is pushed, and you open the pull request.",
          width,
        )
      : []),
    "",
  ];
}

/** Addresses have a line of their own, so that they can be copied at any width. */
function doneLines({ state, requestState, url, remote, branch, run }: Request): readonly string[] {
  const lines = (text: string): readonly string[] => wrapped(text, textColumns());
  if (state === "there")
    return [`The pull request is ${requestState ?? "open"} already:`, `  ${url ?? ""}`];
  if (state === "opened")
    return [
      "Opened the pull request:",
      `  ${url ?? ""}`,
      ...lines(`Once it is merged: unstuck clean ${run}`),
    ];
  const pushed = lines(`Pushed ${cleanLine(branch, 200)} to ${cleanLine(remote, 60)}.`);
  return url === undefined
    ? [...pushed, ...lines("To open pull requests from here, install gh: https://cli.github.com")]
    : [...pushed, "Open the pull request here:", `  ${url}`];
}
