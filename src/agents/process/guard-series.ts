/**
 * Runs commands one after the other under one guard, each with its own pipes, so that starting a guard is paid for only
 * once. Invariants: a command starts only once all processes of the previous one are proven dead; if some survived, or
 * the guard is gone, the next command gets a new guard; `close` lets the guard exit.
 */
import { collectOutput, type Output } from "./output.ts";
import {
  guarded,
  guardLine,
  type GuardedProcess,
  type GuardedRequest,
  type GuardLine,
} from "./guarded-process.ts";
import { openPipes, spawnGuard, type OutputPipes, type Started } from "./spawn.ts";
import type { ProcessIdentity } from "../../runtime/agent-result.ts";

export interface GuardSeries {
  /** Only one at a time. */
  start(request: Command): Promise<Started<GuardedProcess>>;
  /** Settles once the guard is gone. */
  close(): Promise<void>;
}

type Command = Omit<GuardedRequest, "attemptId" | "graceMs" | "stdin">;

interface Standing {
  readonly line: GuardLine;
  readonly identity: ProcessIdentity;
}

export function guardSeries(of: Pick<GuardedRequest, "attemptId" | "graceMs">): GuardSeries {
  let standing: Standing | undefined;
  const letGo = async (): Promise<void> => {
    const last = standing;
    standing = undefined;
    last?.line.hangUp();
    await last?.line.gone;
  };
  const guard = async (): Promise<Standing> => {
    if (standing !== undefined) return standing;
    const { guard, identity } = await spawnGuard(of, ["ignore", "ignore", "ignore"]);
    const now = { line: guardLine(guard), identity };
    standing = now;
    void now.line.gone.then(() => {
      if (standing === now) standing = undefined;
    });
    return now;
  };
  return {
    close: letGo,
    async start(command) {
      let pipes: OutputPipes | undefined;
      let output: Output | undefined;
      try {
        pipes = await openPipes();
        const { paths } = pipes;
        const taken = (): void => pipes?.letGo();
        output = await collectOutput(...pipes.reading, command);
        const process = guarded(
          { ...command, ...of },
          { ...(await guard()), output, named: { pipes: paths, taken } },
        );
        const ended = process.ended.then(async (end) => {
          if (end.word?.say !== "ended" || end.survivors.length > 0) await letGo();
          return end;
        });
        return { ok: true, process: { ...process, ended } };
      } catch (error) {
        for (const reading of pipes?.reading ?? []) reading.destroy();
        pipes?.letGo();
        await output?.finish();
        return { ok: false, problem: (error as Error).message };
      }
    },
  };
}
