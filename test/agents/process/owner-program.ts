// An owner to be killed: starts an attempt that writes every 50 ms, with a child in its own session,
// and prints the identity. Arguments: attempt id, worktree, attempt folder.
import { commandAgent } from "../../../src/agents/command/command-agent.ts";
import { placeOf, userEnvironment } from "./surroundings.ts";

const [attemptId = "", cwd = "", folder = ""] = process.argv.slice(2);
const loop = (name: string): string => `while :; do echo x >> ${name}; sleep 0.05; done`;
const script = `setsid sh -c "${loop("child")}" </dev/null >/dev/null 2>&1 & ${loop("agent")}`;
const started = await commandAgent(`sh -c '${script}' {prompt}`).start({
  place: placeOf(attemptId),
  prompt: "go",
  cwd,
  folder,
  env: userEnvironment(),
  limits: {},
});
if (!started.ok) throw new Error(started.problem);
console.log(JSON.stringify(started.attempt.identity));
started.attempt.release();
