/**
 * Plays one task under one policy through the real `decide`: the world answers each command as a runtime would, and the
 * subtask's own budget limits the cost of recovery. Invariants: a policy sees only what a run would show it, unless it
 * is clairvoyant and asks the view; no attempt starts once the budget is used up.
 */
import type { CheckResult } from "../../core/run/check-result.ts";
import type { Command } from "../../core/run/command.ts";
import { decide } from "../../core/run/decide/decide.ts";
import type { DecisionOf } from "../../core/run/decision.ts";
import type { RunInput } from "../../core/run/input.ts";
import { NEW_RUN } from "../../core/run/new-run.ts";
import { standardRules } from "../../core/rules/standard.ts";
import type { RunState } from "../../core/run/state.ts";
import type { OutcomeByCause } from "../../core/adaptive/outcome-by-cause.ts";
import type { World } from "../world/world.ts";
import { attempt, initialState, type Start, type HiddenState } from "./hidden-state.ts";
import { MINUTE_MS, planFor, SUBTASK, startOf } from "./plan.ts";
import { attemptEnded, attemptRefused } from "./attempt-inputs.ts";
import { isDown, quotaIn } from "./outages.ts";
import { redChecks, shown, START_FAILING } from "./observed.ts";
import { isFalseQuestion, personAnswers } from "./person.ts";
import type { PlayedAttempt, TaskResult } from "./result.ts";
import type { Task } from "./task.ts";
import type { Player, Rules, View } from "./view.ts";

const RULES = standardRules();
const ATTEMPTS_MAX = 60;

/** What fails before anybody has worked on a task. */
const BASELINE = {
  outcomes: { check: { kind: "failed", items: START_FAILING, complete: true } },
  problems: [],
} as const;
/** On the clock of the run. */
const STARTED_AT = 1_000_000;

export function play(
  world: World,
  task: Task,
  makePlayer: (view: View) => Player,
  rules: Rules,
): TaskResult {
  return new Play(world, task, makePlayer, rules).result();
}

class Play implements View {
  readonly world: World;
  hidden: HiddenState;
  readonly past: PlayedAttempt[] = [];
  expected: number | undefined;
  private outcome: OutcomeByCause | undefined;
  readonly rules: Rules;
  private readonly task: Task;
  private readonly player: Player;
  private state: RunState = NEW_RUN;
  private readonly commands: Command[] = [];
  private failing = START_FAILING;
  private readonly judged = new Map<number, (round: number) => CheckResult>();
  private spent = 0;
  private minutes = 0;
  private first = 0;
  private asked = false;
  private falselyAsked = false;
  private silent = false;
  /** An attempt that could not start, because the service was down: what comes after the wait is the same. */
  private held: Start | undefined;

  constructor(world: World, task: Task, makePlayer: (view: View) => Player, rules: Rules) {
    this.world = world;
    this.task = task;
    this.hidden = initialState(task);
    this.rules = rules;
    this.player = withinBudget(makePlayer(this), rules);
  }

  get left(): number {
    return this.rules.budget - (this.spent - this.first) / this.task.size;
  }

  private get now(): number {
    return STARTED_AT + this.minutes * MINUTE_MS;
  }

  result(): TaskResult {
    const { world, task, rules } = this;
    const started = startOf({ attempt: 1, tier: 1 });
    this.first = attempt(world, this.hidden, started, { most: Infinity }).cost;
    const plan = planFor(world, task, this.first + rules.budget * task.size);
    this.give({ kind: "run-started", run: "simulated", plan, goodCommit: "base" });
    for (let command = this.commands.shift(); command; command = this.commands.shift())
      this.answer(command);
    const asked = this.asked && rules.person ? this.minutes : undefined;
    const ended = personAnswers(world, task, asked);
    const solvedAlone = !this.asked && this.hidden.solved && !this.silent;
    return {
      firstFailed: !task.firstSucceeds,
      cause: task.cause,
      succeeded: solvedAlone || ended.solved,
      silentlyWrong: this.silent,
      cost: this.spent + ended.cost,
      usedShare: 1 - this.left / rules.budget,
      asked: this.asked,
      falselyAsked: this.falselyAsked,
      hours: (this.minutes + ended.minutes) / 60,
      attempts: this.past,
    };
  }

  private give(
    input: Omit<RunInput, "at" | "chance"> & { readonly [name: string]: unknown },
  ): void {
    const decided = decide(
      this.state,
      { at: this.now, chance: 0.5, ...input } as RunInput,
      this.player.policy,
      RULES,
    );
    this.state = decided.state;
    for (const decision of decided.decisions)
      if (decision.kind === "failure-classified") this.remember(decision);
      else if (decision.kind === "recovery-chosen") this.chosen(decision);
    this.commands.push(...decided.commands);
  }

  private chosen(decision: DecisionOf<"recovery-chosen">): void {
    this.expected = expectedIn(decision) ?? this.expected;
    this.outcome = decision.outcome;
  }

  private remember({ attempt: number, failure }: DecisionOf<"failure-classified">): void {
    const played = this.past.find((one) => one.attempt === number);
    if (played !== undefined) played.failure = failure.kind;
  }

  private answer(command: Command): void {
    switch (command.kind) {
      case "start":
        if (this.past.length < ATTEMPTS_MAX) this.work(command);
        break;
      case "check": {
        const result = this.judged.get(command.attempt)?.(command.round);
        const of = { subtask: SUBTASK, attempt: command.attempt, round: command.round };
        if (result?.kind === "passed" && !this.hidden.solved) this.silent = true;
        this.give({ kind: "checks-ended", ...of, result });
        break;
      }
      case "merge": {
        const result = { kind: "merged", commit: `c${command.attempt}` };
        const { attempt: of, round } = command;
        this.give({ kind: "merge-ended", subtask: SUBTASK, attempt: of, round, result });
        break;
      }
      case "baseline":
        this.give({ kind: "baseline-ended", round: command.round, ...BASELINE });
        break;
      case "timer":
        this.minutes = Math.max(this.minutes, (command.dueAt - STARTED_AT) / MINUTE_MS);
        this.give({ kind: "timer-fired", subtask: SUBTASK, timer: command.timer });
        break;
      case "ask":
        this.asked = true;
        this.falselyAsked = isFalseQuestion(this, this.rules.budget);
        this.commands.length = 0;
        break;
      default:
    }
  }

  private work(command: Extract<Command, { readonly kind: "start" }>): void {
    const { world } = this;
    const { spec } = command;
    const number = command.attempt;
    const own = startOf({ attempt: this.past.length + 1, tier: spec.entry.tier, spec });
    const start = spec.recovery === "wait" ? (this.held ?? own) : own;
    const quota = quotaIn(world, this.task, this.minutes);
    const isRefused = quota !== undefined || isDown(world, this.task, this.minutes);
    this.held = isRefused ? start : undefined;
    if (isRefused) {
      const until = quota === undefined ? undefined : this.now + Math.ceil(quota * MINUTE_MS);
      return this.give(attemptRefused(number, until));
    }
    const isFirst = start.move === undefined;
    const cutOff = isFirst ? undefined : this.player.cutOff?.(this);
    const most = isFirst ? Infinity : Math.max(0, this.left) * this.task.size;
    const done = attempt(world, this.hidden, start, { cutOff, most });
    // Wrong work that the checks let through looks right, whatever else would have shown.
    const letThrough = done.next() < world.checks.wrongAccepted;
    const seen = done.solved ? undefined : shown(world, done, number, this.failing);
    this.hidden = done.after;
    this.spent += done.cost;
    this.minutes += done.minutes;
    if (seen !== undefined) this.failing = seen.failing;
    const { move, tierStep } = start;
    const { expected, outcome } = this;
    this.past.push({
      ...{ attempt: number, move, tierStep, solved: done.solved, cut: done.cut, expected },
      ...{ symptom: seen?.symptom, cost: done.cost, agent: spec.entry.agent, failure: undefined },
      outcome,
    });
    this.expected = undefined;
    this.outcome = undefined;
    this.judged.set(number, (round) => {
      const flaky = done.solved && done.next() < world.checks.rightRefused;
      if (done.solved ? !flaky : letThrough) return { kind: "passed" };
      return seen?.checks ?? redChecks("other-failing", number, [`flaky${number}.${round}`]);
    });
    const told = letThrough ? undefined : seen;
    this.give(attemptEnded(number, told, { usd: done.cost, timeMs: done.minutes * MINUTE_MS }));
  }
}

/** Whatever a policy would allow itself: the budget is the same for all. */
function withinBudget(player: Player, { budget }: Rules): Player {
  const { policy } = player;
  const recovery = { ...policy.settings.recovery, totalRecoveryBudget: budget };
  const settings = { ...policy.settings, recovery };
  return {
    ...player,
    policy: { name: policy.name, settings, choose: (situation) => policy.choose(situation) },
  };
}

/** What a policy that weighs its options says of the one it chose. */
function expectedIn({ considered }: DecisionOf<"recovery-chosen">): number | undefined {
  const chosen = considered.find(({ verdict }) => verdict === "chosen");
  return chosen?.success;
}
