/**
 * Answers given through a button or link in a message, identified by its token. Invariants: a GET decides nothing,
 * because programs follow the links in messages; it shows a page without scripts whose button posts. Only the token
 * counts, no cookie or other secret. Wrong tokens are counted like wrong secrets.
 */
import { createHash } from "node:crypto";
import { answerByToken, offeredByToken } from "../operations/notify/answer-by-token.ts";
import type { Offered } from "../operations/notify/answer-by-token.ts";
import { ProblemError, problemOf, type Context } from "../operations/operation.ts";
import { redact } from "../operations/redaction.ts";
import { escapeHtml } from "../operations/text.ts";
import { bodyOf, callOperation, failure } from "./call.ts";
import { ANSWER_BY_TOKEN_PATH } from "./guard.ts";

interface Tried {
  readonly report: (error: unknown) => void;
  /** Counts a wrong token; returns the response for a client that has tried too many. */
  readonly wrong: () => Response | undefined;
}

/** Shows what the token would answer, with a button that does it. */
export async function askedOnce(token: string, tried: Tried): Promise<Response> {
  try {
    return page(words(await offeredByToken(token)), buttonFor(token));
  } catch (error) {
    return refused(error, tried);
  }
}

/** Answers a form with a page and a program with JSON. */
export async function answeredByButton(
  request: Request,
  context: Context,
  tried: Tried,
): Promise<Response> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) {
    const { report, wrong } = tried;
    const answer = await callOperation(answerByToken, { request, context, report });
    return answer.status === 403 ? (wrong() ?? answer) : answer;
  }
  try {
    const token = new URLSearchParams(await bodyOf(request)).get("token") ?? "";
    const result = await answerByToken.run(context, { token });
    if (!result.ok) throw new ProblemError(result.problem.code, result.problem.message);
    return page({ title: DONE[result.value.answer], lines: ["You can close this page."] });
  } catch (error) {
    return refused(error, tried);
  }
}

interface Words {
  readonly title: string;
  readonly lines: readonly string[];
}

const ASKS: Readonly<Record<Offered["answer"], (subtask: string) => string>> = {
  skip: (subtask) => `Skip ${subtask}?`,
  deny: (subtask) => `Let ${subtask} go on without it?`,
  snooze: () => "Ask again in an hour?",
};
const DOES: Readonly<Record<Offered["answer"], string>> = {
  skip: "The run goes on with its other subtasks. Whatever needs this one is left out too.",
  deny: "What the agent was refused stays refused.",
  snooze: "The question stays open, and you are told of it again.",
};
const DONE: Readonly<Record<Offered["answer"], string>> = {
  skip: "Skipped",
  deny: "It goes on without what it was refused",
  snooze: "You will be told again in an hour",
};

const words = ({ answer, repository, run, subtask = "the run", cause }: Offered): Words => ({
  title: ASKS[answer](subtask),
  lines: [`${repository}, run ${run}. ${subtask} needs you: ${cause}.`, DOES[answer]],
});

function refused(error: unknown, { report, wrong }: Tried): Response {
  const problem = problemOf(error);
  if (problem === undefined) return failure(error, report);
  const { code, message } = problem;
  const isWrong = code === "not-allowed";
  const said = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const tooMany = isWrong ? wrong() : undefined;
  return tooMany ?? page({ title: "Nothing was changed", lines: [said] }, "", isWrong ? 403 : 409);
}

const buttonFor = (token: string): string =>
  `<form method="post" action="${ANSWER_BY_TOKEN_PATH.slice(1)}">` +
  `<input type="hidden" name="token" value="${escapeHtml(token)}"><button>Yes</button></form>`;

const STYLE =
  ":root{color-scheme:light dark}" +
  "body{font:1.0625rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.25rem;overflow-wrap:anywhere}" +
  "h1{font-size:1.375rem;line-height:1.3}" +
  "button{font:inherit;font-weight:600;padding:.625rem 1.75rem;border:0;border-radius:.5rem;background:#1f5fbf;color:#fff;cursor:pointer}";

const HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-robots-tag": "noindex",
};

function page({ title, lines }: Words, more = "", status = 200): Response {
  const shown = (text: string): string => escapeHtml(redact(text), { maxChars: 400 });
  const html =
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Unstuck</title>` +
    `<meta name="viewport" content="width=device-width"><style>${STYLE}</style>` +
    `<main><h1>${shown(title)}</h1>${lines.map((line) => `<p>${shown(line)}</p>`).join("")}${more}</main></html>`;
  return new Response(html, { status, headers: HEADERS });
}
