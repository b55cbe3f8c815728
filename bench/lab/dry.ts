/**
 * The same laboratory without processes (`--dry`): the real `decide`, prompts and excerpts, the same agent, in memory.
 * For exploration, which needs thousands of tasks; only the real run counts. Omitted: git, waiting, and everything else
 * besides decisions.
 */
import { questionIn } from "../../src/core/agent-words/question.ts";
import { closingOf } from "../../src/core/agent-words/closing.ts";
import { reportedLack } from "../../src/core/agent-words/reported-lack.ts";
import { policyOf } from "../../src/core/adaptive/policy-of.ts";
import { defined } from "../../src/core/defined.ts";
import { readFailingItems } from "../../src/core/checks/outcome.ts";
import { checkExcerpt } from "../../src/core/excerpt/check-excerpt.ts";
import { makeFailure } from "../../src/core/failure.ts";
import { readPolicy } from "../../src/core/policy/read.ts";
import type { Policy } from "../../src/core/policy/policy.ts";
import { changeSignal } from "../../src/core/progress/progress-score.ts";
import { outputNovelty } from "../../src/core/progress/output-novelty.ts";
import { attemptPromptInput, repairToShow } from "../../src/core/prompt/attempt-prompt.ts";
import { subtaskPrompt } from "../../src/core/prompt/subtask-prompt.ts";
import { treeDescription } from "../../src/core/prompt/tree-description.ts";
import { repairSteps } from "../../src/core/repair/run-repair.ts";
import { standardRules } from "../../src/core/rules/standard.ts";
import type { AttemptSpec } from "../../src/core/run/attempt.ts";
import type { Command } from "../../src/core/run/command.ts";
import { decide } from "../../src/core/run/decide/decide.ts";
import type { RunInput } from "../../src/core/run/input.ts";
import { NEW_RUN } from "../../src/core/run/new-run.ts";
import { subtaskAt, type RunState } from "../../src/core/run/state.ts";
import { behave, type Start, type Tree } from "./behaviour.ts";
import { checkCommand, checkOutput } from "./check.ts";
import { questionOn, type Outcome, type Question } from "./outcome.ts";
import type { Task } from "./tasks.ts";
import type { World } from "./world.ts";

const RULES = standardRules();
const LOOP = makeFailure({ kind: "looping", origin: "agent", because: ["it repeats one call"] });
const UNTOUCHED: Tree = { lines: [], leftover: false };
const QUESTIONS_MAX = 20;

export function playTasks(world: World, tasks: readonly Task[], data: object): readonly Outcome[] {
  const read = readPolicy(JSON.stringify(data));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const policy = policyOf(read.value);
  return tasks.map((task) => new DryRun(world, task, policy).outcome());
}

class DryRun {
  private state: RunState = NEW_RUN;
  private readonly commands: Command[] = [];
  private readonly starts: Start[] = [];
  private readonly questions: Question[] = [];
  private readonly moves: string[] = [];
  /** What each attempt began with and left. */
  private readonly trees = new Map<number, { readonly before: Tree; readonly after: Tree }>();
  /** The working tree of the subtask, and of each branch. */
  private readonly slots = new Map<string, Tree>();
  private at = 1_000_000;
  private readonly world: World;
  private readonly task: Task;
  private readonly policy: Policy;

  constructor(world: World, task: Task, policy: Policy) {
    this.world = world;
    this.task = task;
    this.policy = policy;
  }

  outcome(): Outcome {
    const { task, starts, questions, moves } = this;
    const { id, goal } = task;
    const plan = {
      goal: "the laboratory",
      subtasks: [{ id, prompt: goal, dependsOn: [], checks: 1 }],
      ladder: [1, 2, 3].map((tier) => ({ agent: `agent${tier}`, tier })),
      concurrency: 1,
      budget: {},
      attemptCap: {},
    };
    this.give({ kind: "run-started", run: "dry", plan });
    for (let command = this.commands.shift(); command; command = this.commands.shift())
      this.answer(command);
    const verified = subtaskAt(this.state, 0).phase === "verified";
    return { task, verified, starts, questions, moves };
  }

  private give(
    input: Omit<RunInput, "at" | "chance"> & { readonly [name: string]: unknown },
  ): void {
    this.at += 60_000;
    const full = { at: this.at, chance: 0.5, ...input } as RunInput;
    const decided = decide(this.state, full, this.policy, RULES);
    this.state = decided.state;
    for (const decision of decided.decisions)
      if (decision.kind === "recovery-chosen")
        this.moves.push(decision.recoveries.map(({ kind }) => kind).join("+"));
    this.commands.push(...decided.commands);
  }

  private answer(command: Command): void {
    const subtask = this.task.id;
    switch (command.kind) {
      case "start":
        return this.work(command.attempt, command.spec);
      case "check": {
        const { attempt, round } = command;
        return this.give({
          kind: "checks-ended",
          subtask,
          attempt,
          round,
          result: this.checked(attempt),
        });
      }
      case "merge": {
        const { attempt, round } = command;
        const result = { kind: "merged", commit: `c${attempt}` };
        return this.give({ kind: "merge-ended", subtask, attempt, round, result });
      }
      case "timer":
        this.at = Math.max(this.at, command.dueAt);
        return this.give({ kind: "timer-fired", subtask, timer: command.timer });
      case "ask":
        return this.asked();
      default:
    }
  }

  private asked(): void {
    const { checkpoint } = subtaskAt(this.state, 0);
    if (checkpoint === undefined || this.questions.length >= QUESTIONS_MAX) return;
    const question = questionOn(this.task, this.starts.length, checkpoint.context.asks);
    this.questions.push(question);
    const answer = question.right
      ? { kind: "retry", words: this.task.unknown.answer }
      : { kind: "skip" };
    this.give({ kind: "checkpoint-answered", checkpoint: checkpoint.id, answer, by: "you" });
  }

  private work(attempt: number, spec: AttemptSpec): void {
    const { world, task, starts } = this;
    const slot = spec.prompt.branch?.id ?? "";
    const before = this.treeFor(spec, slot);
    const met = { prompt: this.promptFor(spec), tier: spec.entry.tier, tree: before };
    const { start, tree, end } = behave(world, task, { ...met, before: starts });
    starts.push(start);
    this.slots.set(slot, tree);
    this.trees.set(attempt, { before, after: tree });
    const isCrash = end.kind === "crash";
    const text = isCrash ? "" : end.text;
    const words = { asks: questionIn(text), lacks: reportedLack(text) };
    const last = subtaskAt(this.state, 0).lastOutput;
    this.give({
      ...{ kind: "attempt-ended", subtask: task.id, attempt },
      outcome: isCrash || end.looped ? "failed" : "finished",
      ...(!isCrash && end.looped ? { observed: LOOP } : {}),
      evidence: isCrash ? { exitCode: end.exit, stderr: end.says } : {},
      remains: {
        treeBefore: JSON.stringify(before),
        treeAfter: JSON.stringify(tree),
        approach: "",
        output: text,
        signals: {
          outputNovelty: outputNovelty(last, text),
          change: changeSignal(changedLines(before, tree)),
          ...{ markers: 0, checklist: 0 },
        },
        used: { usd: start.cost / 100 },
        ...defined({ ...words, closing: closingOf(text, words) }),
      },
    });
  }

  private treeFor({ tree }: AttemptSpec, slot: string): Tree {
    const kept = this.slots.get(slot) ?? UNTOUCHED;
    if (tree.kind === "start") return this.trees.get(tree.attempt)?.before ?? UNTOUCHED;
    if (tree.kind === "attempt") return this.trees.get(tree.attempt)?.after ?? kept;
    return tree.kind === "good" ? UNTOUCHED : kept;
  }

  private promptFor(spec: AttemptSpec): string {
    const own = subtaskAt(this.state, 0);
    const { goal } = this.task;
    const input = attemptPromptInput(own, spec, {
      ...{ goal, checks: [checkCommand(this.task)], inputs: [] },
    });
    const told = repairToShow(own, spec);
    const repair =
      told && ((maxChars: number): string => repairSteps(told, told.strategy, maxChars));
    const thinkLonger = spec.thinking;
    return subtaskPrompt({
      ...input,
      tree: treeDescription(own, spec),
      thinkLonger,
      ...defined({ repair }),
    });
  }

  private checked(attempt: number): object {
    const stdout = checkOutput(this.task, this.trees.get(attempt)?.after ?? UNTOUCHED);
    if (stdout === "") return { kind: "passed" };
    const command = checkCommand(this.task);
    const { items } = readFailingItems([stdout]);
    const excerpt = checkExcerpt({ command, stdout });
    return {
      ...{ kind: "failed", confirmed: true, failing: items.length > 0 ? items : [command] },
      evidence: { origin: "check", command, stdout, exitCode: 1, excerpt },
    };
  }
}

function changedLines(before: Tree, after: Tree): number {
  const known = new Set(before.lines);
  const added = after.lines.filter((line) => !known.has(line)).length;
  return added + Math.max(0, before.lines.length - after.lines.length + added);
}
