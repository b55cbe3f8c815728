/**
 * On a subtask's first failure, puts a known repair, or a retry for kinds about which nothing else is known, in front,
 * because there is no evidence against it yet. For other kinds the belief decides (docs/kinds.md). Invariant: only
 * outcomes counted in this repository can put another move first.
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
