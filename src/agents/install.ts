/** What a person can do about an agent that is missing or logged out. Pure: it only names commands, it runs none. */
import type { FailureKind } from "../core/kinds.ts";
import { knownAgent } from "./known-agents.ts";

/** One sentence with the command, for the kinds a command helps against. */
export function adviceFor(agent: string, kind: FailureKind): string | undefined {
  const known = knownAgent(agent);
  if (known === undefined) return undefined;
  const { title, install, login, keyVariables } = known;
  switch (kind) {
    case "agent_missing":
      return `Install ${title}: ${install}`;
    case "auth_required":
    case "auth_expired":
      return `Log in to ${title}: run ${login}, or set ${keyVariables[0] ?? "its key"}`;
    default:
      return undefined;
  }
}
