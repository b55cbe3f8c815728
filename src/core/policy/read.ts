/**
 * Reads a policy: a file with a whole ladder, or `extends: <preset>` with what is to differ, or the name of a
 * preset. Problems name the line. The JSON Schema for editors comes from the same source as the checks.
 */
import * as z from "zod";
import { checkYaml, parseYaml } from "../read-yaml.ts";
import type { Problem, Reading, YamlSource } from "../read-yaml.ts";
import { PRESETS } from "./presets.ts";
import type { PresetName } from "./presets.ts";
import { ladderPolicySchema } from "./schema.ts";
import type { LadderPolicy } from "./ladder-policy.ts";
import { nearestName } from "../validate/nearest-name.ts";
import type { RecoveryName } from "../recovery.ts";

const presetNames = Object.keys(PRESETS) as [PresetName, ...PresetName[]];

/** What may stand in a file that extends a preset: any part of a policy, settings groups in part too. */
export const extendedPolicySchema = ladderPolicySchema
  .extend({
    wait: ladderPolicySchema.shape.wait.partial(),
    progress: ladderPolicySchema.shape.progress.partial(),
    recovery: ladderPolicySchema.shape.recovery.partial(),
  })
  .partial()
  .extend({ extends: z.enum(presetNames).describe("The preset to start from") })
  .describe("A ladder policy of Unstuck that changes parts of a preset");

const policyFileSchema = z.union([extendedPolicySchema, ladderPolicySchema]);

export function readPolicy(text: string): Reading<LadderPolicy> {
  const source = parseYaml(text);
  return source.ok ? checkPolicy(source.value) : source;
}

/** A policy that stands inside another file and was parsed with it. */
export function policyFrom(value: unknown): Reading<LadderPolicy> {
  return checkPolicy({ value, placeOf: () => ({ line: 0, column: 0 }) });
}

function checkPolicy(source: YamlSource): Reading<LadderPolicy> {
  const extending =
    typeof source.value === "object" && source.value !== null && "extends" in source.value;
  const read = extending ? readExtended(source) : checkYaml(source, ladderPolicySchema);
  if (!read.ok) return read;
  const problems = rungProblems(source, read.value);
  return problems.length > 0 ? { ok: false, problems } : read;
}

function readExtended(source: YamlSource): Reading<LadderPolicy> {
  const read = checkYaml(source, extendedPolicySchema);
  if (!read.ok) return read;
  const { extends: preset, wait, progress, recovery, ...rest } = read.value;
  const base: LadderPolicy = PRESETS[preset];
  const merged = {
    ...base,
    ...rest,
    wait: { ...base.wait, ...wait },
    progress: { ...base.progress, ...progress },
    recovery: { ...base.recovery, ...recovery },
  };
  return { ok: true, value: ladderPolicySchema.parse(merged) };
}

/** What a schema cannot say: ids are unique, options stand only on rungs that read them. */
function rungProblems(source: YamlSource, policy: LadderPolicy): Problem[] {
  const seen = new Set<string>();
  return policy.rungs.flatMap((rung, index) => {
    const problems: Problem[] = [];
    const say = (field: string, message: string): void => {
      const place = source.placeOf(["rungs", index, field]);
      problems.push({ ...place, path: `rungs.${index}.${field}`, message });
    };
    if (seen.has(rung.id)) say("id", `the rung id ${JSON.stringify(rung.id)} is used twice`);
    seen.add(rung.id);
    const does: readonly RecoveryName[] = typeof rung.do === "string" ? [rung.do] : rung.do;
    if (does.length === 2 && !(does.includes("skip") && does.includes("ask")))
      say("do", "only skip and ask can stand together");
    if (does.includes("wait")) say("do", "waits are chosen by the guard rails, not by a rung");
    for (const field of ["to", "thinking", "budgetFactor"] as const)
      if (rung[field] !== undefined && !does.includes("escalate"))
        say(field, "only for do: escalate");
    if (rung.mutations !== undefined && !does.includes("mutate"))
      say("mutations", "only for do: mutate");
    return problems;
  });
}

type PolicyChoice =
  | { readonly ok: true; readonly value: LadderPolicy }
  | { readonly ok: false; readonly problem: string };

export function ladderFrom(given: unknown): PolicyChoice {
  if (given === undefined) return { ok: true, value: PRESETS.standard };
  if (typeof given === "string") {
    if (Object.hasOwn(PRESETS, given))
      return { ok: true, value: PRESETS[given as keyof typeof PRESETS] };
    const near = nearestName(given, Object.keys(PRESETS));
    return {
      ok: false,
      problem: `there is no policy ${JSON.stringify(given)}${near === undefined ? "" : `: did you mean ${near}?`}`,
    };
  }
  const reading = policyFrom(given);
  if (reading.ok) return reading;
  const [first] = reading.problems;
  return { ok: false, problem: `${first?.path ?? ""}: ${first?.message ?? "cannot be read"}` };
}

export function policyJsonSchema(): object {
  return { ...z.toJSONSchema(policyFileSchema, { target: "draft-7" }), title: "Unstuck policy" };
}
