/**
 * Starts a program that the workspace waits for, in its own process group. A process that has started many programs is
 * long-lived and has grown: from then on a small helper process starts them (see starter.ts).
 */
import { spawn } from "node:child_process";
import { startBySmallProcess, type Program, type ProgramPlan } from "./starter.ts";

/** About what a short command needs; starting the helper costs as much as some twenty programs. */
const FEW = 60;

let begun = 0;

/** Rejects if the program could not be started. */
export async function startProgram(plan: ProgramPlan): Promise<Program> {
  begun += 1;
  const started = begun > FEW ? await startBySmallProcess(plan) : undefined;
  return started ?? startHere(plan);
}

async function startHere(plan: ProgramPlan): Promise<Program> {
  const { file, args, cwd, env, input = "", onOutput, onErrors } = plan;
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const { pid, stdin, stdout, stderr } = child;
  // Without a process there are no pipes either; only the pending error says why.
  if (pid === undefined) return new Promise<never>((_, reject) => void child.once("error", reject));
  child.on("error", () => undefined);
  stdout.on("data", (chunk: Buffer) => onOutput(chunk, () => child.kill("SIGTERM")));
  stderr.on("data", onErrors);
  stdin.on("error", () => undefined); // the program may end before it has read everything
  stdin.end(input);
  return {
    pid,
    ended: new Promise((resolve) =>
      child.once("close", (code, signal) => resolve({ code, signal })),
    ),
    letGo() {
      child.unref();
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
    },
  };
}
