/**
 * `npm run first-result`: the time and keystrokes from `npx` to the first verified result, on a machine that has Node
 * 20, npm, git and Claude Code, and nothing of Unstuck. The package is this checkout's tarball, the agent is real, its
 * model is scripted. Fails if the result is not verified or more than one question was asked. Words after `--` are
 * typed in place of the goal. Needs npm's registry.
 */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { say, shell, write, type Scenario } from "../src/testing/model-server/scenario.ts";
import { startModelServer } from "../src/testing/model-server/server.ts";
import { configure, PROGRAMS } from "../test/real-agents/agent-home.ts";
import { installAgents, succeeds } from "./install-agents.ts";
import { brokenRepository, emptyMachine, nodeFolder } from "./package/empty-machine.ts";
import { typeCommand } from "./package/typed-command.ts";

const QUESTIONS_MAX = 1;

/** Looks, fixes the sum, and says so; again in every session. */
const MENDS: Scenario = {
  by: "result",
  turns: [
    shell("cat sum.js test/sum.test.js", "I look at the failing test."),
    write("sum.js", "exports.sum = (a, b) => a + b;\n"),
    say("sum() subtracted; it adds now."),
  ],
};

const words = process.argv.slice(2);
const typed = words.length === 0 ? '"make the tests pass"' : words.join(" ");
const isReady =
  installAgents(false) &&
  succeeds(process.execPath, [join(import.meta.dirname, "run.js"), "build"]);
if (!isReady) process.exit(1);
const machine = emptyMachine();
const server = await startModelServer({ claude: MENDS }, { forAgents: true });
try {
  process.exitCode = await measure();
} finally {
  await server.close();
  rmSync(machine.folder, { recursive: true, force: true });
}

async function measure(): Promise<number> {
  const agents = join(machine.folder, "agents");
  mkdirSync(agents);
  symlinkSync(join(PROGRAMS, "claude"), join(agents, "claude"));
  const common = machine.environment([nodeFolder(machine, "20"), agents]);
  const home = common["HOME"] ?? "";
  const env = { ...common, ...configure("claude", home, server.at("claude", "first")) };
  const cwd = join(machine.folder, "sum");
  brokenRepository(cwd, env);
  const command = `npx --yes --package '${machine.tarball}' unstuck ${typed}`;
  const result = await typeCommand(`npx -y unstuck ${typed}`, command, { cwd, env });
  const { code, ms, keystrokes, questions, screen } = result;
  const isMet = code === 0 && questions.length <= QUESTIONS_MAX;
  if (!isMet) console.log(screen);
  console.log(`typed: npx -y unstuck ${typed}`);
  for (const question of questions) console.log(`asked: ${question}`);
  console.log(
    `${code === 0 ? "verified" : `not verified (exit ${code})`} after ${(ms / 1000).toFixed(1)} s, ` +
      `${keystrokes} keystrokes, ${questions.length} of at most ${QUESTIONS_MAX} questions, ` +
      `${server.requests("first").length} requests to the model`,
  );
  return isMet ? 0 : 1;
}
