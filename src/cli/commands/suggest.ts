/** `unstuck suggest`: the repair plan of a failure, as steps to follow or in the JSON shape of the source. */
import { Command } from "commander";
import { BASIC_TOOLS, suggestRepair } from "../../operations/advice/advice.ts";
import type { RepairPlan } from "../../operations/advice/advice.ts";
import { tameLine } from "../../operations/text.ts";
import { evidenceInput, evidenceLines, evidenceOptions } from "../evidence-options.ts";
import type { EvidenceFlags } from "../evidence-options.ts";
import { perform, styled, write, writeJson } from "../io.ts";

type Flags = EvidenceFlags & { readonly tools: string; readonly sandbox?: string };

export function command(): Command {
  return evidenceOptions(new Command("suggest"))
    .summary("the repair plan for a failure")
    .description("Says what to try, in which order, with the values of this failure filled in.")
    .option("--tools <names>", "tools the agent has, separated by commas", BASIC_TOOLS.join(","))
    .option("--sandbox <dir>", "where files may be written; default: TOOLS_FS_ROOT or this folder")
    .option("--json", "one JSON object in the shape of a repair plan")
    .option("--jsonl", "each input line is one evidence, each output line its repair plan")
    .action(async (file: string | undefined, flags: Flags) => {
      const { sandbox } = flags;
      const tools = flags.tools.split(",").flatMap((name) => name.trim() || []);
      if (flags.jsonl === true) {
        for await (const { id, input } of evidenceLines(file))
          writeJson({ id, ...(await perform(suggestRepair, { ...input, tools, sandbox })) });
        return;
      }
      const input = await evidenceInput(file, flags);
      const plan = await perform(suggestRepair, { ...input, tools, sandbox });
      if (flags.json === true) writeJson(plan);
      else write(describe(plan));
    });
}

function describe(plan: RepairPlan): string {
  const blocks = [plan, ...plan.alternatives].map((repair, index) => block(repair, index + 1));
  return [`${styled("bold", plan.kind)}: what to try, in this order`, ...blocks].join("\n\n");
}

function block(repair: RepairPlan["alternatives"][number], place: number): string {
  const title = `${place}. ${repair.strategy.replaceAll("_", " ")}`;
  const facts = styled("dim", `confidence ${repair.confidence.toFixed(2)}`);
  return [`${styled("cyan", title)}  ${facts}`, ...repair.steps.flatMap(stepLines)].join("\n");
}

function stepLines(step: RepairPlan["steps"][number]): string[] {
  const permission =
    step.needsPermission === undefined ? "" : ` (needs permission: ${step.needsPermission})`;
  const action = `   - ${tameLine(step.action, 300)}${permission}`;
  const script = step.args["script"] ?? step.args["command"];
  if (typeof script === "string")
    return [action, ...script.split("\n").map((line) => `       $ ${tameLine(line, 400)}`)];
  const { questions, ...rest } = step.args;
  const asked = Array.isArray(questions)
    ? questions.map((question) => `       ${tameLine(String(question), 400)}`)
    : [];
  const args = Object.entries(rest).map(
    ([name, value]) =>
      `       ${name}: ${tameLine(typeof value === "string" ? value : JSON.stringify(value), 400)}`,
  );
  return [action, ...asked, ...args];
}
