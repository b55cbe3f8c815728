/** Creates the policy that policy data describes: a ladder or the adaptive policy. */
import { defined } from "../defined.ts";
import { ladder } from "../policy/ladder.ts";
import type { Policy } from "../policy/policy.ts";
import { adaptive } from "./adaptive.ts";
import type { PolicyData } from "./policy-data.ts";

export function policyOf(data: PolicyData): Policy {
  if (data.policy === "ladder") return ladder(data);
  const { personPrice, quietHours } = data;
  return adaptive({ settings: data, ...defined({ personPrice, quietHours }) });
}
