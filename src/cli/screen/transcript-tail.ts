/**
 * Reads what running attempts do from the ends of their transcript files; works from any process. Invariants: a
 * file that is not there yet, or no more, is no step, never an error; secrets are taken out.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import { vectorItems } from "../../core/persistent-vector.ts";
import type { RunState } from "../../core/run/state.ts";
import { TRANSCRIPT_FORMATS } from "../../agents/registry.ts";
import { redact } from "../redaction.ts";
import { stepWords } from "./current-step.ts";

const TAIL_BYTES = 16 * 1024;
/** More agents than a screen has rows need not be read. */
const READ_MAX = 60;

/** By `subtask/attempt`. */
export async function currentSteps(
  state: RunState,
  runDir: string,
  agents: RunPlan["agents"],
): Promise<ReadonlyMap<string, string>> {
  const running = vectorItems(state.subtasks).flatMap((own, index) => {
    const id = state.plan.subtasks[index]?.id ?? "";
    return own.running.map(({ attempt, spec }) => ({ id, attempt, agent: spec.entry.agent }));
  });
  const steps = new Map<string, string>();
  for (const { id, attempt, agent } of running.slice(0, READ_MAX)) {
    const folder = join(runDir, "attempts", encodeURIComponent(id), String(attempt));
    const tail = redact(await tailOf(join(folder, "transcript")));
    const words = stepWords(tail, formatOf(agents[agent]));
    if (words !== "") steps.set(`${id}/${attempt}`, words);
  }
  return steps;
}

function formatOf(agent: RunPlan["agents"][string] | undefined): string | undefined {
  if (agent?.format !== undefined) return agent.format;
  return TRANSCRIPT_FORMATS.find((format) => format === agent?.adapter);
}

async function tailOf(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - TAIL_BYTES);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}
