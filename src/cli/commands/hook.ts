/**
 * `unstuck hook <agent>`: the hook itself, called by an agent; `hook install|uninstall` put it into an agent's
 * settings. The hook runs on every Node that the core runs on, and never fails.
 */
import { Argument, Command } from "commander";
import { homeAnswers, homeFolder, isRemote } from "../../operations/home.ts";
import { answerHook, HOOK_AGENTS, noteFault } from "../../operations/hooks/answer.ts";
import {
  DEFAULT_SEND_BACKS,
  answerFully,
  standardDiagnosis,
} from "../../operations/hooks/full-answer.ts";
import type { Flags, InstallFlags } from "../hook-install.ts";
import { write } from "../io.ts";
import { writeAll } from "../plain-io.ts";
import { readPayload, takeOver } from "../quick-hook.ts";

export function command(): Command {
  const hook = new Command("hook")
    .summary("help from inside an agent")
    .description(
      "The hook of an agent: hints, a loop guard and a stop gate; and how to install it.",
    )
    .argument("[agent]", `called by the agent itself: ${HOOK_AGENTS.join(", ")}`)
    .action((agent: string | undefined) => {
      if (agent === undefined) return hook.help();
      return runHook(agent);
    });
  hook.addCommand(
    changing("install", "put the hook into an agent's settings; shows the change first")
      .option("--check <command...>", "a stop in this folder is sent back while this fails")
      .option("--send-backs <n>", "how often at most", String(DEFAULT_SEND_BACKS))
      .option("--tools <file>", "the tools the agent may call, with their schemas")
      .action(async (agent: string, flags: InstallFlags) =>
        (await import("../hook-install.ts")).install(agent, flags),
      ),
  );
  hook.addCommand(
    changing("uninstall", "take it out again").action(async (agent: string, flags: Flags) =>
      (await import("../hook-install.ts")).uninstall(agent, flags),
    ),
  );
  return hook;
}

const changing = (name: string, what: string): Command =>
  new Command(name)
    .description(what)
    .addArgument(new Argument("<agent>").choices([...HOOK_AGENTS]))
    .option("--project", "the settings of this checkout instead of your own")
    .option("--yes", "do not ask")
    .option("--dry-run", "only show what would change");

/** Never an error, whatever the agent, its payload or this machine do. */
async function runHook(agent: string): Promise<void> {
  try {
    const given = takeOver();
    if (given === undefined && process.stdin.isTTY)
      return write(
        `an agent calls this; set it up with: unstuck hook install ${HOOK_AGENTS.join("|")}`,
      );
    // A home that does not answer would hold the agent up: it is left alone, and nothing is said.
    if (given === undefined && isRemote(homeFolder()) && !(await homeAnswers(homeFolder()))) {
      readPayload();
      process.exit(0);
    }
    const caller = { read: readPayload, say: writeAll, diagnosis: standardDiagnosis };
    const call = given ?? answerHook(agent, caller);
    if (call !== undefined) await answerFully(call);
  } catch (error) {
    noteFault(agent, error);
  }
}
