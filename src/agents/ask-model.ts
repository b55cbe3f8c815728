/**
 * Asks a model one question, such as a cheap model for rewriting: through an agent started in an empty folder, or at
 * any OpenAI-compatible endpoint. Invariants: answer and time are bounded; any failure means no answer; the endpoint's
 * key comes from a variable in the user's environment and is never written anywhere.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { RunPlan } from "../core/plan/run-plan.ts";
import type { Agent } from "../runtime/ports-agent.ts";
import type { AskModel } from "../runtime/ports.ts";
import { fieldsOf, listOf, parseFields } from "./output/json.ts";

const AGENT_LIMIT_MS = 120_000;

export function askAgent(
  agent: Agent,
  model: string | undefined,
  env: Readonly<Record<string, string>>,
): AskModel {
  return async ({ prompt, place, folder, stop }) => {
    const own = join(folder, "rewrite");
    const cwd = join(own, "empty");
    await mkdir(cwd, { recursive: true });
    const started = await agent.start({
      place,
      prompt,
      ...(model === undefined ? {} : { model }),
      cwd,
      folder: own,
      env,
      limits: { totalMs: AGENT_LIMIT_MS },
    });
    if (!started.ok) return undefined;
    const { attempt } = started;
    const letGo = (): void => attempt.stop("no longer asked for");
    stop.addEventListener("abort", letGo, { once: true });
    attempt.release();
    const { end, report, stdout } = await attempt.result;
    stop.removeEventListener("abort", letGo);
    const isFine = end.kind === "exited" && end.code === 0 && report?.error === undefined;
    return isFine ? (report?.answer ?? stdout) : undefined;
  };
}

type EndpointPlan = Extract<RunPlan["rewrite"], { readonly endpoint: string }>;

const ENDPOINT_LIMIT_MS = 60_000;
const ANSWER_MAX_BYTES = 256 * 1024;

export function askEndpoint(
  { endpoint, model, keyVariable }: EndpointPlan,
  env: Readonly<Record<string, string>>,
): AskModel {
  const key = keyVariable === undefined ? undefined : env[keyVariable];
  return async ({ prompt, stop }) => {
    const response = await fetch(`${endpoint.replace(/\/+$/, "")}/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, messages: [{ role: "user", content: prompt }] }),
      signal: AbortSignal.any([stop, AbortSignal.timeout(ENDPOINT_LIMIT_MS)]),
      redirect: "error",
    });
    if (!response.ok || response.body === null) return undefined;
    return answerOf(await boundedText(response.body));
  };
}

async function boundedText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > ANSWER_MAX_BYTES) throw new Error("the answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function answerOf(text: string): string | undefined {
  const [choice] = listOf(parseFields(text)?.["choices"]);
  const { content } = fieldsOf(fieldsOf(choice)["message"]);
  return typeof content === "string" ? content : undefined;
}
