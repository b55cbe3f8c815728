/**
 * Asks an agent one question, as a cheap model for rewriting: a start of its own, in an empty folder, with a short
 * time limit. Invariant: never throws; no answer is no answer.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Agent } from "../runtime/ports-agent.ts";
import type { AskModel } from "../runtime/rewrite.ts";

const LIMIT_MS = 120_000;

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
      limits: { totalMs: LIMIT_MS },
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
