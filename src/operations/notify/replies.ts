/**
 * Answers that come back through ntfy: a message's button posts its token to the reply topic, and a process listening
 * here takes it. Invariants: anything else written to that topic changes nothing; a token counts once, until it
 * expires, for the answer it was signed for; input is bounded; an unreachable server is retried with growing pauses,
 * and messages written in the meantime are not missed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { refuseServingInsideAttempt } from "../inside-attempt.ts";
import type { Home } from "../home.ts";
import type { Context } from "../operation.ts";
import { answerByToken } from "./answer-by-token.ts";
import { answerKey } from "./answer-key.ts";
import { ntfyOf, type NotifySettings, type Ntfy } from "./settings.ts";
import { readAnswerToken } from "./signature.ts";

interface Listening {
  readonly home: Pick<Home, "root">;
  readonly settings: NotifySettings;
  readonly context: Context;
  /** Aborting it ends listening. */
  readonly until: AbortSignal;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** The lifetime of a token: messages this old are read on the first connection. */
const MISSED = "24h";

/** Ends with the signal; does nothing if no reply topic is set up, or inside an attempt. */
export async function takeReplies({ home, settings, context, until }: Listening): Promise<void> {
  const ntfy = ntfyOf(settings);
  if (ntfy?.replyTopic === undefined) return;
  try {
    refuseServingInsideAttempt("taking answers", { orphans: "allowed" });
  } catch {
    return;
  }
  let since = MISSED;
  let failures = 0;
  while (!until.aborted) {
    try {
      for await (const { event, id, message } of linesOf(ntfy, `since=${since}`, until)) {
        failures = 0;
        if (event !== "message") continue;
        await takeReply(home, context, message);
        since = encodeURIComponent(id);
      }
    } catch {
      // Unreachable, or the connection broke: retry from the last position.
    }
    failures += 1;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
    const ended = { signal: until, ref: false };
    await sleep(wait * (0.5 + Math.random() / 2), undefined, ended).catch(() => undefined);
  }
}

/** A refusal is reported to no one: the button was used, is old, or its question is answered. */
async function takeReply(
  home: Pick<Home, "root">,
  context: Context,
  message: string | undefined,
): Promise<void> {
  const token = message?.trim() ?? "";
  if (readAnswerToken(answerKey(home), token, Date.now()).ok)
    await answerByToken.run(context, { token });
}

/** Why the reply topic cannot be read; undefined if it can. */
export async function repliesProblem(settings: NotifySettings): Promise<string | undefined> {
  const ntfy = ntfyOf(settings);
  if (ntfy?.replyTopic === undefined) return undefined;
  if (ntfy.replyTopic === ntfy.topic)
    return "replyTopic is the topic of the messages: name another, or your phone shows the answers too";
  try {
    for await (const _ of linesOf(ntfy, "poll=1&since=10s", AbortSignal.timeout(CONNECT_MS)));
    return undefined;
  } catch (error) {
    const said = error instanceof Refused ? error.message : "it could not be reached";
    return `the reply topic cannot be read: ${said}`;
  }
}

class Refused extends Error {}

const line = z.object({
  event: z.string(),
  id: z.string().max(100).default(""),
  message: z.string().exactOptional(),
});

const LINE_CHARS_MAX = 32 * 1024;
const CONNECT_MS = 10_000;
/** The server sends keep-alives more often than this. */
const SILENCE_MS = 180_000;

async function* linesOf(
  { server, replyTopic = "", token }: Ntfy,
  query: string,
  until: AbortSignal,
): AsyncGenerator<z.infer<typeof line>, void, undefined> {
  const silent = new AbortController();
  const heard = (ms: number): NodeJS.Timeout => setTimeout(() => silent.abort(), ms).unref();
  let timer = heard(CONNECT_MS);
  try {
    const url = `${server}/${encodeURIComponent(replyTopic)}/json?${query}`;
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const signal = AbortSignal.any([until, silent.signal]);
    const response = await fetch(url, { headers, redirect: "error", signal });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Refused(`it answered with HTTP ${response.status}`);
    }
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      timer = heard(SILENCE_MS);
      const lines = (text + decoder.decode(piece, { stream: true })).split("\n");
      text = lines.pop() ?? "";
      if (text.length > LINE_CHARS_MAX) throw new Refused("it sent a line that is too long");
      for (const one of lines) {
        const read = line.safeParse(parsed(one));
        if (read.success) yield read.data;
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
