/**
 * A known repair, or one more try where that is all that is known of a kind, leads on a subtask's first failure: nothing
 * speaks against it yet. What comes first for the other kinds (docs/kinds.md) is left to the belief. Invariant: only what
 * was counted here before can put another move in front of it.
 */
import { firstMoveOf, type Failure } from "../failure.ts";
import { worth, type Option } from "./options.ts";

/** `usual`: the same options without what was counted. */
export function firstMoveLeads(
  options: readonly Option[],
  usual: () => readonly Option[],
  { kind, origin }: Failure,
): readonly Option[] {
  const move = firstMoveOf(kind, origin);
  if (move !== "repair" && move !== "retry") return options;
  const [best, ...others] = usual();
  const first = others.find((option) => option.move === move);
  if (first === undefined || best === undefined) return options;
  const lift = worth(best) / worth(first);
  const lifted = (option: Option): number =>
    option.move === move ? worth(option) * lift * (1 + 1e-9) : worth(option);
  return options.toSorted((a, b) => lifted(b) - lifted(a));
}
