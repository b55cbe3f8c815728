/**
 * Holds a program to whoever started it: `node tether.ts <program> <argument...>` runs the program and kills it when this
 * process's standard input ends, which is when the starter lets go of it or dies, however it dies. Invariants: it ends
 * when the program has ended, with its exit code; a terminal's Ctrl-C is the starter's to hear; SIGTERM is passed on.
 */
import { spawn } from "node:child_process";

const [program = "", ...args] = process.argv.slice(2);
const held = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"], detached: true });
held.once("error", () => process.exit(127));
held.once("exit", (code) => process.exit(code ?? 1));
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => held.kill("SIGTERM"));
process.stdin.on("error", () => undefined);
process.stdin.once("close", () => held.kill("SIGKILL"));
process.stdin.resume();
