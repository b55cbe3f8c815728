/**
 * `unstuck hook <agent>`: the hook itself, called by an agent; `hook install|uninstall` are beside. Runs on every
 * Node that the core runs on, and never fails.
 */
import { Argument, Command } from "commander";
import { DEFAULT_SEND_BACKS } from "../../agents/hooks/hook-settings.ts";
import { nudge, refusal } from "../../agents/hooks/loop-guard.ts";
import { modelFailure } from "../../agents/hooks/model-failure.ts";
import { recoveryHint } from "../../agents/hooks/recovery-hint.ts";
import { HOOK_AGENTS } from "../../agents/registry.ts";
import { answers, isRemote } from "../answering-home.ts";
import { homeFolder } from "../home.ts";
import { callHook, noteFault, PAYLOAD_MAX } from "../hook-call.ts";
import { takeOver } from "../hook-handover.ts";
import { install, uninstall } from "../hook-install.ts";
import type { Flags, InstallFlags } from "../hook-install.ts";
import { answerWithMore } from "../hook-more.ts";
import { write } from "../io.ts";
import { readAll } from "../plain-io.ts";

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
      .action((agent: string, flags: InstallFlags) => install(agent, flags)),
  );
  hook.addCommand(
    changing("uninstall", "take it out again").action((agent: string, flags: Flags) =>
      uninstall(agent, flags),
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
    if (given === undefined && isRemote(homeFolder()) && !(await answers(homeFolder()))) {
      while (readAll(PAYLOAD_MAX).length > 0);
      process.exit(0);
    }
    const call = given ?? callHook(agent, () => ({ modelFailure, nudge, recoveryHint, refusal }));
    if (call !== undefined) await answerWithMore(call);
  } catch (error) {
    noteFault(agent, error);
  }
}
