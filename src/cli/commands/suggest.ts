/** `unstuck suggest`: the repair plan of a failure, as steps to follow or in the JSON shape of the source. */
import { Command } from "commander";
import { classifyByStandardRules } from "../../core/rules/standard.ts";
import type { Evidence } from "../../core/evidence.ts";
import { tameLine } from "../../core/foreign-text.ts";
import { repairPlan } from "../../core/repair/repair-plan.ts";
import type { Repair, RepairPlan, RepairStep } from "../../core/repair/repair.ts";
import { evidenceFrom, evidenceFromLine, evidenceOptions } from "../evidence-options.ts";
import type { EvidenceFlags } from "../evidence-options.ts";
import { inputLines, styled, write, writeJson } from "../io.ts";
import { manifestNames } from "../manifest-names.ts";

interface Flags extends EvidenceFlags {
  readonly tools: string;
  readonly sandbox?: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

const BASIC_TOOLS = "run_bash,read_file,read_dir,write_file";

export function command(): Command {
  return evidenceOptions(new Command("suggest"))
    .summary("the repair plan for a failure")
    .description("Says what to try, in which order, with the values of this failure filled in.")
    .option("--tools <names>", "tools the agent has, separated by commas", BASIC_TOOLS)
    .option("--sandbox <dir>", "where files may be written; default: TOOLS_FS_ROOT or this folder")
    .option("--json", "one JSON object in the shape of a repair plan")
    .option("--jsonl", "each input line is one evidence, each output line its repair plan")
    .action(async (file: string | undefined, flags: Flags) => {
      const plan = planner(flags);
      if (flags.jsonl === true) {
        for await (const { line, text } of inputLines(file)) {
          if (text.trim() === "") continue;
          const { id, evidence } = evidenceFromLine(text, line);
          writeJson({ id, ...plan(evidence) });
        }
        return;
      }
      const suggested = plan(await evidenceFrom(file, flags));
      if (flags.json === true) writeJson(suggested);
      else write(describe(suggested));
    });
}

function planner(flags: Flags): (evidence: Evidence) => RepairPlan {
  const tools = flags.tools.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
  const sandboxRoot = flags.sandbox ?? process.env["TOOLS_FS_ROOT"] ?? process.cwd();
  return (evidence) =>
    repairPlan({
      failure: classifyByStandardRules(evidence),
      evidence,
      tools,
      sandboxRoot,
      mode: "suggest",
      platform: process.platform,
      manifestNames: manifestNames(process.cwd()),
    });
}

function describe(plan: RepairPlan): string {
  const blocks = [plan, ...plan.alternatives].map((repair, index) => block(repair, index + 1));
  return [`${styled("bold", plan.kind)}: what to try, in this order`, ...blocks].join("\n\n");
}

function block(repair: Repair, place: number): string {
  const title = `${place}. ${repair.strategy.replaceAll("_", " ")}`;
  const facts = styled("dim", `confidence ${repair.confidence.toFixed(2)}`);
  return [`${styled("cyan", title)}  ${facts}`, ...repair.steps.flatMap(stepLines)].join("\n");
}

function stepLines(step: RepairStep): string[] {
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
