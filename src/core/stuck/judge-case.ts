/**
 * Evaluates one case for a stuck detector, `{id, steps, config?}`: returns the verdict after its last step. Invariant:
 * never throws; unreadable input is refused with the name of the offending field.
 */
import { readStuckConfig, stuckConfigOf } from "./read-config.ts";
import type { StuckConfig } from "./config.ts";
import { createStuckDetector } from "./detector.ts";
import { readStep } from "./read-step.ts";
import { NO_VERDICT, type Level, type Pattern } from "./verdict.ts";

export interface CaseVerdict {
  readonly id: unknown;
  readonly stuck: boolean;
  readonly level: Level;
  readonly pattern: Pattern | null;
  readonly loopStart: number | null;
  readonly reason: string | null;
}

type CaseReading =
  | { readonly ok: true; readonly verdict: CaseVerdict }
  | { readonly ok: false; readonly field: string; readonly problem: string };

export function judgeCase(value: unknown): CaseReading {
  if (typeof value !== "object" || value === null)
    return refuse("", "expected {id, steps, config?}");
  const { id, steps, config } = value as Readonly<Record<string, unknown>>;
  if (!Array.isArray(steps)) return refuse("steps", "expected a list");
  const settings = configOf(config);
  if (!("enabled" in settings)) return settings;
  const detector = createStuckDetector(settings);
  let verdict = NO_VERDICT;
  for (const [index, given] of steps.entries()) {
    const reading = readStep(given);
    if (!reading.ok) return refuse(`steps[${index}].${reading.field}`, reading.problem);
    verdict = detector.step(reading.step);
  }
  const { level, pattern = null, loopStart = null, reason = null } = verdict;
  const stuck = level === "stuck";
  return { ok: true, verdict: { id: id ?? null, stuck, level, pattern, loopStart, reason } };
}

const OWN_NAMES = ["thresholds", "person_resets", "call_cap", "tools"];

/** Accepts our own settings, or the names that other detectors use for them. */
function configOf(config: unknown): StuckConfig | ReturnType<typeof refuse> {
  const own =
    typeof config === "object" && config !== null && OWN_NAMES.some((name) => name in config);
  if (!own) return stuckConfigOf(config);
  const reading = readStuckConfig(config);
  if (reading.ok) return reading.config;
  const [first] = reading.problems;
  return refuse(`config.${first?.path ?? ""}`, first?.problem ?? "");
}

const refuse = (field: string, problem: string) => ({ ok: false, field, problem }) as const;
