/**
 * Ties a program to its starter: `node tether.ts <program> <argument...>` runs the program and kills it when this
 * process's standard input ends, which happens when the starter closes it or dies in any way. Invariants: it exits with
 * the program and with its exit code; it ignores a terminal's Ctrl-C, which is the starter's to handle; it forwards
 * SIGTERM.
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
