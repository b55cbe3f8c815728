/**
 * An agent that is asked for its version: an untested one gives a warning, an old one is driven in another way.
 * Invariants: the warning neither delays nor fails an attempt: what is not known when it ends is not told; only
 * where the version decides how to start is it waited for, once in the life of this process.
 */
import type { Agent, AgentResult } from "../runtime/ports-agent.ts";
import { knownAgent } from "./known-agents.ts";
import { askVersion } from "./version-question.ts";
import type { VersionAnswer } from "./version-question.ts";
import { isBefore, versionWarning } from "./version.ts";

export interface OlderAgent {
  readonly below: string;
  readonly agent: Agent;
}

export function versionedAgent(
  name: string,
  program: readonly string[],
  agent: Agent,
  older?: OlderAgent,
): Agent {
  const args = knownAgent(name)?.versionArgs;
  if (args === undefined) return agent;
  return {
    async start(request) {
      const ask = (): VersionAnswer => askVersion({ program, args, env: request.env });
      let answer: VersionAnswer | undefined;
      let version = older === undefined ? undefined : await ask().told;
      const isOld = older !== undefined && version !== undefined && isBefore(version, older.below);
      const started = await (isOld ? older.agent : agent).start(request);
      if (!started.ok) return started;
      const { attempt } = started;
      return {
        ok: true,
        attempt: {
          ...attempt,
          release() {
            attempt.release();
            if (version !== undefined) return;
            answer = ask();
            void answer.told.then((told) => (version = told));
          },
          result: attempt.result.then((result) => {
            answer?.letGo();
            return withWarning(result, name, version);
          }),
        },
      };
    },
  };
}

function withWarning(result: AgentResult, name: string, version = ""): AgentResult {
  const warning = versionWarning(name, version);
  const { report } = result;
  if (warning === undefined || report === undefined) return result;
  return {
    ...result,
    report: { ...report, warnings: [...new Set([warning, ...report.warnings])] },
  };
}
