/**
 * Starts a program that the workspace waits for, in a process group of its own. A process that has started many is a
 * long one and has grown: from then on a small process starts them for it.
 */
import { spawn } from "node:child_process";
import { startBySmallProcess, type Program, type ProgramPlan } from "./starter.ts";

/** What a short command starts; the small process itself costs as much as some twenty of them. */
const FEW = 60;

let begun = 0;

/** Rejects where it could not be started. */
export async function startProgram(plan: ProgramPlan): Promise<Program> {
  begun += 1;
  const started = begun > FEW ? await startBySmallProcess(plan) : undefined;
  return started ?? startHere(plan);
}

async function startHere(plan: ProgramPlan): Promise<Program> {
  const { file, args, cwd, env, input = "", onOutput, onErrors } = plan;
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const { pid, stdin, stdout, stderr } = child;
  // Without a process there are no pipes either, and only the error to come says why.
  if (pid === undefined) return new Promise<never>((_, reject) => void child.once("error", reject));
  child.on("error", () => undefined);
  stdout.on("data", (chunk: Buffer) => onOutput(chunk, () => child.kill("SIGTERM")));
  stderr.on("data", onErrors);
  stdin.on("error", () => undefined); // it may end before it read everything
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
