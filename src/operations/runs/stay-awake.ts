/**
 * Keeps the machine awake while a run works in this process: systemd's login manager on Linux, caffeinate on macOS.
 * Invariants: if that is not possible, the run goes on without a message; the started program ends with this process,
 * however that ends; it never asks for a password.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { userConfig } from "../user-config.ts";

interface Keeper {
  readonly program: string;
  readonly args: readonly string[];
  /** It echoes its input once the machine is kept awake, and ends with its input. */
  readonly answers: boolean;
}

const KEEPERS: { readonly [platform: string]: Keeper } = {
  linux: {
    program: "systemd-inhibit",
    args: ["--what=idle:sleep", "--who=unstuck", "--why=a run is working", "--mode=block", "cat"],
    answers: true,
  },
  darwin: { program: "caffeinate", args: ["-i", "-w", String(process.pid)], answers: false },
};

/** Reports once the machine is kept awake. The returned function lets it sleep again. */
export function stayAwake(
  tell: (words: string) => void,
  platform: string = process.platform,
): () => void {
  const keeper = userConfig().keepAwake === false ? undefined : KEEPERS[platform];
  if (keeper === undefined) return () => undefined;
  const held = (): void => tell("keeping this machine awake while it runs");
  // A session of its own: it gets no Ctrl-C and cannot ask for a password.
  const child = spawn(keeper.program, keeper.args, {
    detached: true,
    stdio: [keeper.answers ? "pipe" : "ignore", keeper.answers ? "pipe" : "ignore", "ignore"],
  });
  child.once("error", () => undefined);
  child.stdin?.on("error", () => undefined);
  if (keeper.answers) child.stdout?.once("data", held);
  else child.once("spawn", held);
  child.stdin?.write("\n");
  letGo(child);
  return () => {
    child.stdin?.destroy();
    child.stdout?.destroy();
    child.kill();
  };
}

/** This process may exit before it does. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout])
    if (stream !== null && "unref" in stream) (stream as { unref(): void }).unref();
}
