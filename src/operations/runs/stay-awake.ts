/**
 * Keeps the machine from going to sleep while a run works in this process: systemd's login manager on Linux, caffeinate
 * on macOS. Invariants: where it cannot be done, nothing is said and the run goes on; what is started ends with this
 * process, however that ends; it asks for no password.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { userConfig } from "../user-config.ts";

interface Keeper {
  readonly program: string;
  readonly args: readonly string[];
  /** It repeats its input once the machine is held awake, and ends with its input. */
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

/** Says so once it is held awake. What it gives back lets it sleep again. */
export function stayAwake(
  tell: (words: string) => void,
  platform: string = process.platform,
): () => void {
  const keeper = userConfig().keepAwake === false ? undefined : KEEPERS[platform];
  if (keeper === undefined) return () => undefined;
  const held = (): void => tell("keeping this machine awake while it runs");
  // A session of its own: no Ctrl-C reaches it, and no password can be asked for.
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

/** This process may end while it is still there. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout])
    if (stream !== null && "unref" in stream) (stream as { unref(): void }).unref();
}
