/**
 * Waits for a git or cp together with everything it starts, because filter programs outlive a git that is killed alone.
 * A slow program is reported. It is ended at its limit, on abort and on the first stop: first asked to end, so that git
 * removes its locks, then killed after a grace period. If this process dies, a small shell that knows every process
 * group ends what is left. The next owner waits for any git that still uses a private git dir before touching that dir.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { defined } from "../../core/defined.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { watch } from "./orphans.ts";
import type { Program } from "./starter.ts";

const SECOND = 1000;

const MINUTE = 60 * SECOND;

const KILL_AFTER = 2 * SECOND;

/** Ten minutes, or what the user allows for slower repositories. */
export function programLimit(): number {
  const minutes = Number(process.env["UNSTUCK_GIT_MINUTES"]);
  return minutes > 0 && minutes <= 24 * 60 ? minutes * MINUTE : 10 * MINUTE;
}

const slowAfter = (): number => Math.min(30 * SECOND, programLimit() / 4);

type EndedBy = "limit" | "abort" | "stop";

export async function watched(
  program: Program,
  { name, folder, limitMs }: { name: string; folder: string; limitMs: number },
  abort: AbortSignal | undefined,
): Promise<{ readonly code: number; readonly signal?: string; readonly by?: EndedBy }> {
  const { stop, tell, ending } = watch;
  const begun = performance.now();
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, work: () => void): void => void timers.add(setTimeout(work, ms));
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<{
    code: null;
    signal: null;
  }>();
  let by: EndedBy | undefined;
  const end = (why: EndedBy): void => {
    if (by !== undefined) return;
    by = why;
    signalGroup(program, "SIGTERM");
    after(KILL_AFTER, () => signalGroup(program, "SIGKILL"));
    after(KILL_AFTER + 5 * SECOND, () => giveUp({ code: null, signal: null }));
  };
  const say = (): void => {
    const took = durationText(performance.now() - begun);
    const where = cleanLine(folder, 300);
    tell(
      `${name} has taken ${took} in ${where}; it is ended after ${durationText(limitMs)}; ${ending}`,
    );
    after(MINUTE, say);
  };
  const onAbort = (): void => end("abort");
  const onStop = (): void => {
    const isSlow = performance.now() - begun >= slowAfter();
    const grace = Math.min(10 * SECOND, programLimit() / 4);
    after(isSlow ? 0 : grace, () => end("stop"));
  };
  after(slowAfter(), say);
  after(limitMs, () => end("limit"));
  const forget = keepGroup(program.pid);
  let isOver = false;
  for (const [signal, heard] of [
    [abort, onAbort],
    [stop, onStop],
  ] as const) {
    if (signal?.aborted === true) heard();
    else signal?.addEventListener("abort", heard, { once: true });
  }
  try {
    const over = program.ended.finally(() => (isOver = true));
    const { code, signal } = await Promise.race([over, givenUp]);
    return { code: code ?? -1, ...defined({ signal: signal ?? undefined, by }) };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    abort?.removeEventListener("abort", onAbort);
    stop?.removeEventListener("abort", onStop);
    if (isOver) forget();
    else program.letGo();
  }
}

function signalGroup({ pid }: Program, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // all of them have ended
  }
}

export const durationText = (ms: number): string =>
  ms < 2 * MINUTE ? `${Math.round(ms / SECOND)} s` : `${Math.round(ms / MINUTE)} min`;

const KEEPER = `live=" "
while read -r sign group; do
  case $sign in
    +) live="$live$group " ;;
    -) live="\${live%% $group *} \${live#* $group }" ;;
  esac
done
set -- $live
[ $# -eq 0 ] && exit 0
for group; do kill -s TERM -- "-$group"; done 2>/dev/null
sleep 2
for group; do kill -s KILL -- "-$group"; done 2>/dev/null
exit 0`;

let keeper: Writable | undefined;

/** Returns a function that drops the group again. */
function keepGroup(group: number): () => void {
  const told = (keeper ??= startKeeper());
  told?.write(`+ ${group}\n`);
  return () => void told?.write(`- ${group}\n`);
}

/** Runs in its own session, where no signal from a terminal reaches it. */
function startKeeper(): Writable | undefined {
  const { PATH = "" } = process.env;
  const child = spawn("sh", ["-c", KEEPER], {
    ...{ env: { PATH }, cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] },
  });
  const { stdin } = child;
  const forget = (): void => {
    if (keeper === stdin) keeper = undefined;
  };
  child.on("error", forget).on("exit", forget);
  if (stdin === null) return undefined;
  stdin.on("error", forget);
  child.unref();
  (stdin as Socket).unref();
  // A normal exit waits for the shell: in a container, orphaned processes may never be reaped.
  process.once("beforeExit", () => {
    stdin.end();
    child.ref();
  });
  return stdin;
}
