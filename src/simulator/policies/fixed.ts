/** Policies that ignore what they see: one move repeated, and the presets as shipped. */
import { ladder } from "../../core/policy/ladder.ts";
import { PRESETS } from "../../core/policy/presets.ts";
import type { Rung } from "../../core/policy/situation.ts";
import type { Policy } from "../../core/policy/policy.ts";
import type { CutOff } from "../play/hidden-state.ts";
import type { View } from "../play/view.ts";
import type { Contestant } from "./contestant.ts";
import { UNRULED } from "./options.ts";

const always = (name: string, ...does: readonly Partial<Rung>[]): Policy =>
  ladder({
    policy: "ladder",
    name,
    ...UNRULED,
    rungs: does.map((rung, index): Rung => ({ id: `step-${index + 1}`, do: "ask", ...rung })),
  });

const fixed = (
  id: string,
  words: string,
  policy: Policy,
  cutOff?: (view: View) => CutOff,
): Contestant => ({
  ...{ id, words },
  enter: () => ({ playerFor: () => (cutOff === undefined ? { policy } : { policy, cutOff }) }),
});

/** 1 1 2 1 1 2 4 1 1 2 ...: optimal to a constant where nothing is known (Luby, Sinclair, Zuckerman 1993). */
export function luby(position: number): number {
  const power = 2 ** Math.ceil(Math.log2(position + 1));
  return position === power - 1 ? power / 2 : luby(position - power / 2 + 1);
}

/** The shortest cut-off lets most healthy attempts end by themselves. */
const CUT_AT = 2;

const fresh = always("fresh", { do: "fresh" });

export const FIXED: readonly Contestant[] = [
  fixed("none", "no recovery: asks after the first failure", always("none", { do: "ask" })),
  fixed("retry", "the same again, in the same session", always("retry", { do: "retry" })),
  fixed("feedback", "sends what failed back", always("feedback", { do: "feedback" })),
  fixed("fresh", "starts over from the last good commit", fresh),
  fixed("fresh-cut", "starts over, and ends attempts at twice the usual length", fresh, () => ({
    ...{ times: CUT_AT, unlessNew: false },
  })),
  fixed("luby", "starts over, with Luby's cut-offs", fresh, ({ past }) => ({
    ...{ times: CUT_AT * luby(past.length), unlessNew: false },
  })),
  fixed(
    "escalate",
    "a stronger model at once, then the same again there",
    always("escalate", { do: "escalate", to: "tier" }, { do: "retry" }),
  ),
];

export const PRESET_CONTESTANTS: readonly Contestant[] = Object.values(PRESETS).map((preset) =>
  fixed(preset.name, preset.description ?? `the preset ${preset.name}`, ladder(preset)),
);
