/**
 * The notification channels: this computer's desktop, a signed webhook, Slack, ntfy. Invariants: time-limited;
 * redirects are not followed; errors are reported without addresses, keys or the other side's text; nothing foreign
 * reaches a shell.
 */
import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import type { Message } from "../../core/notify/message.ts";
import type { ChannelName } from "../../core/notify/outbox.ts";
import { runTool } from "../run-tool.ts";
import { ntfyOf, secretOf, type NotifySettings, type Ntfy } from "./settings.ts";
import { webhookSignature } from "./signature.ts";

export interface AnswerButton {
  readonly answer: string;
  readonly question: string;
  readonly run: string;
  readonly token: string;
  /** Accepts POST only; present if a public address is set, like the link. */
  readonly url?: string;
  /** Opens a confirmation page, for clients that can only open links. */
  readonly link?: string;
}

export type Sent =
  | { readonly ok: true }
  /** `forGood`: retrying would not help. */
  | { readonly ok: false; readonly problem: string; readonly forGood: boolean };

type Send = (
  settings: NotifySettings,
  message: Message,
  buttons: readonly AnswerButton[],
) => Promise<Sent>;

const LIMIT_MS = 10_000;
const failed = (problem: string, forGood = false): Sent => ({ ok: false, problem, forGood });
const NOT_SET = failed("the environment variable that its settings name is not set", true);

async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Sent> {
  try {
    const request = { method: "POST", body, headers, redirect: "error" } as const;
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(LIMIT_MS) });
    await response.body?.cancel();
    if (response.ok) return { ok: true };
    const { status } = response;
    const isRefused = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
    return failed(`it answered with HTTP ${status}`, isRefused);
  } catch (error) {
    if (!URL.canParse(url)) return failed("its address is not a URL", true);
    const isSlow = error instanceof Error && error.name === "TimeoutError";
    return failed(isSlow ? `no answer within ${LIMIT_MS / 1000} s` : "it could not be reached");
  }
}

const json = { "content-type": "application/json" };

const webhook: Send = async ({ webhook: set }, message, buttons) => {
  const [url, secret] = [secretOf(set?.url ?? ""), secretOf(set?.secret ?? "")];
  if (url === undefined || secret === undefined) return NOT_SET;
  const body = JSON.stringify({ id: randomUUID(), ...message, answers: buttons });
  return post(url, body, {
    ...json,
    "x-unstuck-signature": webhookSignature(secret, body, Date.now()),
  });
};

const LABELS: Readonly<Record<string, string>> = {
  skip: "Skip",
  deny: "Deny",
  snooze: "Later",
};
const ICONS = { critical: "🔴", question: "🔵", info: "⚪" } as const;

const SLACK_CHARS_MAX = 2900;
/** Slack interprets `&`, `<` and `>` as markup. */
const slackText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const slack: Send = async (
  { slack: set },
  { severity, title, lines, command, url: page },
  buttons,
) => {
  const url = secretOf(set?.url ?? "");
  if (url === undefined) return NOT_SET;
  const said = (text: string) => ({ type: "plain_text", text: text.slice(0, SLACK_CHARS_MAX) });
  const section = (text: string) => ({ type: "section", text: said(text) });
  const head = `${ICONS[severity]} ${title}`;
  const button = (label: string, link: string) => ({
    type: "button",
    text: said(label),
    url: link,
  });
  const answers = buttons.flatMap(({ answer, link }) =>
    link === undefined ? [] : [button(LABELS[answer] ?? answer, link)],
  );
  const next =
    page === undefined
      ? section(`Run: ${command}`)
      : { type: "actions", elements: [button("Open", page), ...answers] };
  const blocks = [section(head), section(lines.join("\n")), next];
  return post(url, JSON.stringify({ text: slackText(head), blocks }), json);
};

const PRIORITIES = { critical: 5, question: 4, info: 3 } as const;
const NTFY_BUTTONS_MAX = 3;

const ntfy: Send = async (settings, { severity, title, lines, command, url: page }, buttons) => {
  const set = ntfyOf(settings);
  if (set === undefined) return NOT_SET;
  const { topic, server, token } = set;
  const actions = buttons.slice(0, NTFY_BUTTONS_MAX).flatMap((button) => ntfyAction(set, button));
  const message = [...lines, ...(page === undefined ? [`Run: ${command}`] : [])].join("\n");
  const body = { topic, title, message, priority: PRIORITIES[severity], actions, click: page };
  return post(server, JSON.stringify(body), {
    ...json,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  });
};

/** Posts to the reply topic, which needs no public address, otherwise to our own server. */
function ntfyAction({ server, replyTopic }: Ntfy, { answer, token, url }: AnswerButton) {
  const tap = { action: "http", label: LABELS[answer] ?? answer, method: "POST", clear: true };
  if (replyTopic !== undefined)
    return [{ ...tap, url: `${server}/${encodeURIComponent(replyTopic)}`, body: token }];
  return url === undefined ? [] : [{ ...tap, url, body: JSON.stringify({ token }), headers: json }];
}

const SCRIPT =
  "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";

const desktop: Send = async (_, { severity, title, lines }) => {
  const text = lines.join("\n");
  // Some desktops interpret markup in the text.
  const plain = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const urgency = severity === "critical" ? "critical" : "normal";
  const [program, args] =
    process.platform === "darwin"
      ? (["osascript", ["-e", SCRIPT, "--", title, text]] as const)
      : ([
          "notify-send",
          ["--app-name=Unstuck", `--urgency=${urgency}`, "--", title, plain],
        ] as const);
  const ran = await runTool(program, args, { cwd: homedir(), limitMs: LIMIT_MS });
  if (ran === undefined) return failed(`${program} is not installed`, true);
  return ran.code === 0 ? { ok: true } : failed(`${program} failed: is there a desktop session?`);
};

export const SENDERS: { readonly [name in ChannelName]: Send } = {
  ...{ desktop, webhook, slack, ntfy },
};
