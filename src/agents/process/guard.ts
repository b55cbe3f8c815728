/**
 * The guard: a separate process that leads the attempt's group and session, starts the agent on request, and ends
 * everything the attempt left when the agent ends or its owner dies. Started by spawn.ts as `node guard.ts <attempt id>
 * <grace ms>`, with the control pipe as descriptor 3 and the agent's own stdin, stdout and stderr as 0, 1, 2. If given
 * named pipes instead, it stays for the next command once the last one is dead. Invariants: nothing starts before
 * "start"; once the owner is gone, no process provably of the attempt outlives the guard; it ignores its group's
 * signals.
 */
import { spawn } from "node:child_process";
import { closeSync, openSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { systemFault } from "../../core/system-faults.ts";
import { FOLDER_GONE } from "../../runtime/agent-result.ts";
import { messageReader, writeMessage, type FromGuard, type ToGuard } from "./guard-messages.ts";
import { identify, findMembers, proveDead, signalProcess } from "./proof-of-death.ts";

type Refusal = Extract<FromGuard, { say: "refused" }>;
type Exit = Pick<Extract<FromGuard, { say: "ended" }>, "code" | "signal">;

const [attemptId = "", graceMs = "2000"] = process.argv.slice(2);
const suspect = identify(process.pid, attemptId) ?? { attemptId };
let started = false;
let ending = false;
let stays = false;
let ownerIsGone = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP"] as const)
  process.on(signal, () => undefined);

const control = new Socket({ fd: 3, readable: true, writable: true });
control.setEncoding("utf8");
control.on("data", messageReader<ToGuard>(obey));
control.on("error", () => undefined);
control.on("close", () => {
  ownerIsGone = true;
  // Nothing was started since the last proof.
  if (stays && !started) process.exit(0);
  void end();
});
tell({ say: "up" });

function obey(word: ToGuard): void {
  if (word.say === "start" && !started) start(word);
  else if (word.say === "signal")
    for (const row of findMembers(suspect).ours) signalProcess(row, word.signal);
  else if (word.say === "sample") {
    const cpuMs = findMembers(suspect).ours.reduce((sum, row) => sum + row.cpuMs, 0);
    tell({ say: "sampled", cpuMs });
  }
}

function start({ argv, cwd, env, pipes }: Extract<ToGuard, { say: "start" }>): void {
  started = true;
  stays = pipes !== undefined;
  const [file = "", ...args] = argv;
  const opened: number[] = [];
  try {
    for (const pipe of pipes ?? []) opened.push(openSync(pipe, "w"));
    tell({ say: "opened" });
    if (!isFolder(cwd)) throw withoutFolder(cwd);
    const [stdout = 1, stderr = 2] = opened;
    const agent = spawn(file, args, { cwd, env, stdio: [0, stdout, stderr] });
    agent.on("error", (error) => void end(refusal(isFolder(cwd) ? error : withoutFolder(cwd))));
    agent.on("exit", (code, signal) => void end({ code, signal }));
  } catch (error) {
    void end(refusal(error));
  } finally {
    for (const pipe of opened) closeSync(pipe);
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** With the same code as a missing program it would be taken for one. */
const withoutFolder = (cwd: string): Error =>
  Object.assign(new Error(`the folder it works in is gone: ${cwd}`), { code: FOLDER_GONE });

function refusal(error: unknown): Refusal {
  const { code = "EUNKNOWN", message } = error as NodeJS.ErrnoException;
  const fault = systemFault(code);
  const detail = fault === undefined ? message : `${message}: ${fault.words}`;
  return { say: "refused", errno: code, detail };
}

/**
 * Ends what is left, then reports the end if anyone is listening; a guard that stays is then ready for the next
 * command.
 */
async function end(how?: Refusal | Exit): Promise<void> {
  if (ending) return;
  ending = true;
  const { found, survivors } = await proveDead(suspect, { graceMs: Number(graceMs) });
  if (how !== undefined)
    tell("say" in how ? how : { say: "ended", ...how, leftBehind: found, survivors });
  if (stays && how !== undefined && !ownerIsGone && survivors.length === 0) {
    started = false;
    ending = false;
    return;
  }
  control.end(() => process.exit(0));
  setTimeout(() => process.exit(0), 1000);
}

function tell(word: FromGuard): void {
  if (control.writable) control.write(writeMessage<FromGuard>(word));
}
