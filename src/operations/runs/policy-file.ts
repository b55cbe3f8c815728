/**
 * A policy that an option or a plan names as a file. It is data that chooses among recoveries and cannot start a
 * command. Invariants: it is read once, before anything starts, and stored with the plan; a path in an option is
 * relative to the user's folder, one in a plan to the plan's folder.
 */
import { dirname, resolve } from "node:path";
import { isRecord } from "../../core/defined.ts";
import type { PolicyData } from "../../core/adaptive/policy-data.ts";
import { policyNamed, policyPath, readPolicy } from "../../core/policy/read.ts";
import { parseYaml } from "../../core/read-yaml.ts";
import { ProblemError } from "../operation.ts";
import { describeProblems, readUtf8File } from "../text.ts";

interface PolicyFile {
  readonly text: string;
  readonly policy: PolicyData;
}

export const policyOfOption = (named: string | undefined, cwd: string): PolicyFile | undefined =>
  readFrom(cwd, named);

/** The policy named in the user's own settings. */
export function usualPolicyOf(named: string, file: string): PolicyData {
  const ofFile = readFrom(dirname(file), named);
  if (ofFile !== undefined) return ofFile.policy;
  const found = policyNamed(named);
  if (found.ok) return found.value;
  throw new ProblemError("bad-input", `${file}: policy: ${found.problem}`);
}

/** `file`: the plan's path; `text`: its contents. */
export function policyOfPlan(file: string, text: string): PolicyFile | undefined {
  const source = parseYaml(text);
  const { policy } = source.ok && isRecord(source.value.value) ? source.value.value : {};
  return readFrom(dirname(file), policy);
}

function readFrom(folder: string, named: unknown): PolicyFile | undefined {
  const path = policyPath(named);
  if (path === undefined) return undefined;
  const text = readUtf8File(resolve(folder, path), path);
  const reading = readPolicy(text);
  if (reading.ok) return { text, policy: reading.value };
  throw new ProblemError("bad-input", describeProblems(path, reading.problems));
}
