/**
 * Reads policy files: a whole ladder, or `extends: <preset>` with what is to differ, or the name of a preset. Problems
 * name the line. Loaded only where a policy file is read or a schema printed.
 */
import * as z from "zod";
import { checkYaml, parseYaml, withoutPlaces } from "../read-yaml.ts";
import type { Problem, YamlReading, YamlSource } from "../read-yaml.ts";
import type { RecoveryName } from "../recovery.ts";
import { nearestName } from "../validate/nearest-name.ts";
import type { LadderPolicy } from "./policy.ts";
import { PRESETS, type PresetName } from "./presets.ts";
import { ladderPolicySchema } from "./schema.ts";

// Stryker restore all

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

export function readPolicy(text: string): YamlReading<LadderPolicy> {
  const source = parseYaml(text);
  return source.ok ? checkPolicy(source.value) : source;
}

/** A policy that stands inside another file and was parsed with it. */
export function policyFrom(value: unknown): YamlReading<LadderPolicy> {
  return checkPolicy(withoutPlaces(value));
}

function checkPolicy(source: YamlSource): YamlReading<LadderPolicy> {
  const extending =
    typeof source.value === "object" && source.value !== null && "extends" in source.value;
  const read = extending ? readExtended(source) : checkYaml(source, ladderPolicySchema);
  if (!read.ok) return read;
  const problems = rungProblems(source, read.value);
  return problems.length > 0 ? { ok: false, problems } : read;
}

function readExtended(source: YamlSource): YamlReading<LadderPolicy> {
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

/** The path, where what a plan or an option names as its policy is a file and no preset. */
export function policyPath(named: unknown): string | undefined {
  const isPath = typeof named === "string" && /[/\\]|\.(?:ya?ml|json)$/i.test(named);
  return isPath ? named : undefined;
}

/** A policy as a plan names it: nothing, the name of a preset, or a whole policy that was parsed with the plan. */
export function ladderFrom(given: unknown = "standard"):
  | { readonly ok: true; readonly value: LadderPolicy }
  /** `path`: within the policy. */
  | { readonly ok: false; readonly problem: string; readonly path: readonly PropertyKey[] } {
  if (typeof given === "string")
    return Object.hasOwn(PRESETS, given)
      ? { ok: true, value: PRESETS[given as PresetName] }
      : { ok: false, problem: unknownName("policy", given, presetNames), path: [] };
  const reading = policyFrom(given);
  if (reading.ok) return reading;
  const { path = "", message = "cannot be read" } = reading.problems[0] ?? {};
  return { ok: false, problem: message, path: path.split(".").map(stepOf) };
}

/** A number is a place in a list. */
const stepOf = (step: string): PropertyKey => (/^\d{1,6}$/.test(step) ? Number(step) : step);

const NAMED_MAX = 12;

export function unknownName(what: string, name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  const others = names.length > NAMED_MAX ? "" : names.join(", ");
  const hint = near === undefined ? others && `: there are ${others}` : `: did you mean ${near}?`;
  return `there is no ${what} ${JSON.stringify(name)}${hint}`;
}

export function policyJsonSchema(): object {
  return { ...z.toJSONSchema(policyFileSchema, { target: "draft-7" }), title: "Unstuck policy" };
}
