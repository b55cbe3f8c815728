/**
 * Reads policies: a whole policy, `extends: <name>` with changes, or just a name. Problems name the line. Loaded only
 * when a policy file is read or a schema printed.
 */
import * as z from "zod";
import { isRecord } from "../defined.ts";
import { checkYaml, parseYaml, withoutPlaces } from "../read-yaml.ts";
import type { Problem, YamlReading, YamlSource } from "../read-yaml.ts";
import type { RecoveryName } from "../recovery.ts";
import { nearestName } from "../validate/nearest-name.ts";
import { ADAPTIVE, type PolicyData } from "../adaptive/policy-data.ts";
import type { LadderPolicy } from "./policy.ts";
import { PRESETS, type PresetName } from "./presets.ts";
import { adaptivePolicySchema, ladderPolicySchema } from "./schema.ts";

// Stryker restore all

const presetNames = Object.keys(PRESETS) as [PresetName, ...PresetName[]];

const POLICIES: Readonly<Record<string, PolicyData>> = { ...PRESETS, adaptive: ADAPTIVE };
/** Used if neither plan, command line nor the user's own settings name a policy. */
const DEFAULT_POLICY = "adaptive";
export const POLICY_NAMES: readonly string[] = Object.keys(POLICIES);

/** A file that extends a preset may contain any part of a policy, and parts of its settings groups. */
export const extendedPolicySchema = ladderPolicySchema
  .extend({
    wait: ladderPolicySchema.shape.wait.partial(),
    progress: ladderPolicySchema.shape.progress.partial(),
    recovery: ladderPolicySchema.shape.recovery.partial(),
  })
  .partial()
  .extend({ extends: z.enum(presetNames).describe("The preset to start from") })
  .describe("A ladder policy of Unstuck that changes parts of a preset");

export const extendedAdaptiveSchema = adaptivePolicySchema
  .extend({
    wait: adaptivePolicySchema.shape.wait.partial(),
    progress: adaptivePolicySchema.shape.progress.partial(),
    recovery: adaptivePolicySchema.shape.recovery.partial(),
  })
  .partial()
  .extend({ extends: z.literal("adaptive") })
  .describe("The adaptive policy with some of its settings changed");

const policyFileSchema = z.union([
  extendedPolicySchema,
  ladderPolicySchema,
  extendedAdaptiveSchema,
  adaptivePolicySchema,
]);

export function readPolicy(text: string): YamlReading<PolicyData> {
  const source = parseYaml(text);
  return source.ok ? checkPolicy(source.value) : source;
}

/** A policy embedded in another file and parsed with it. */
export function policyFrom(value: unknown): YamlReading<PolicyData> {
  return checkPolicy(withoutPlaces(value));
}

function checkPolicy(source: YamlSource): YamlReading<PolicyData> {
  const given = isRecord(source.value) ? source.value : {};
  if (given["extends"] === "adaptive") return readAdaptive(source);
  if (given["policy"] === "adaptive" && !("extends" in given))
    return checkYaml(source, adaptivePolicySchema);
  const read = "extends" in given ? readExtended(source) : checkYaml(source, ladderPolicySchema);
  if (!read.ok) return read;
  const problems = rungProblems(source, read.value);
  return problems.length > 0 ? { ok: false, problems } : read;
}

function readExtended(source: YamlSource): YamlReading<LadderPolicy> {
  const read = checkYaml(source, extendedPolicySchema);
  if (!read.ok) return read;
  const { extends: preset, ...changes } = read.value;
  const base: LadderPolicy = PRESETS[preset];
  return { ok: true, value: ladderPolicySchema.parse(laidOver(base, changes)) };
}

function readAdaptive(source: YamlSource): YamlReading<PolicyData> {
  const read = checkYaml(source, extendedAdaptiveSchema);
  if (!read.ok) return read;
  const { extends: _, ...changes } = read.value;
  return { ok: true, value: adaptivePolicySchema.parse(laidOver(ADAPTIVE, changes)) };
}

/** Applies changes to a policy; settings groups are merged. */
function laidOver(base: PolicyData, changes: Changes): object {
  const { wait, progress, recovery, ...rest } = changes;
  return {
    ...base,
    ...rest,
    wait: { ...base.wait, ...wait },
    progress: { ...base.progress, ...progress },
    recovery: { ...base.recovery, ...recovery },
  };
}

interface Changes {
  readonly wait?: object | undefined;
  readonly progress?: object | undefined;
  readonly recovery?: object | undefined;
}

/** Rules that the schema cannot express: ids are unique, and options appear only on rungs that use them. */
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

/** The path, if a plan or an option names a file as its policy instead of a preset. */
export function policyPath(named: unknown): string | undefined {
  const isPath = typeof named === "string" && /[/\\]|\.(?:ya?ml|json)$/i.test(named);
  return isPath ? named : undefined;
}

/** A policy as named by a plan: nothing, a name, or a whole policy parsed with the plan. */
export function policyNamed(given: unknown = DEFAULT_POLICY):
  | { readonly ok: true; readonly value: PolicyData }
  /** `path`: relative to the policy. */
  | { readonly ok: false; readonly problem: string; readonly path: readonly PropertyKey[] } {
  if (typeof given === "string") {
    const value = Object.hasOwn(POLICIES, given) ? POLICIES[given] : undefined;
    return value === undefined
      ? { ok: false, problem: unknownName("policy", given, POLICY_NAMES), path: [] }
      : { ok: true, value };
  }
  const reading = policyFrom(given);
  if (reading.ok) return reading;
  const { path = "", message = "cannot be read" } = reading.problems[0] ?? {};
  return { ok: false, problem: message, path: path.split(".").map(stepOf) };
}

/** A number is an index in a list. */
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
