/**
 * Builds the repair plan of a failure from its chain and the caller's own strategies: without what is impossible or
 * forbidden here, ranked, and with actual values filled in. Invariants: every step's tool is one the caller listed, or
 * null; no strategy appears twice; at most four are automated; ask_user is last; strategies that need permission come
 * after those that do not, and a run omits them unless permitted.
 */
import { assert } from "../assert.ts";
import type { Chain, RepairFacts, StepDraft, StepTool, StrategyRow } from "./chain.ts";
import { chainOf } from "./chains.ts";
import { firstSteps } from "./first-steps.ts";
import { byOutcomes } from "../learning/strategies.ts";
import { ASK_USER } from "./repair.ts";
import type {
  AddedStrategy,
  Permission,
  RankedStrategy,
  RepairPlan,
  RepairRequest,
  RepairStep,
} from "./repair.ts";
import { basicToolOf, bindCall, toolBench, type ToolBench } from "./tool-names.ts";
import { errorText, repairValues } from "./values.ts";
import { riskOf, type Risk } from "./shell-script.ts";
import { NOT_A_TOOL } from "./failed-call.ts";

const MAX_AUTOMATED = 4;
/** `ask_user` has at least priority 3. */
const MAX_FIRST = 2;
const ADDED_ASK_CONFIDENCE = 0.8;

export function repairPlan(request: RepairRequest): RepairPlan {
  const bench = toolBench(request.tools);
  const facts = repairFacts(request, bench);
  const chain = chainOf(request.failure.kind);
  const printed = chain.rows.flatMap((row, index) => fromRow(row, index + 1, facts, bench));
  const all = [...printed, ...placed(request.added ?? [], bench)];
  const known = withoutRepeats(permitted(all, request)).slice(0, MAX_AUTOMATED);
  const isFirstWanted = known.length === 0 && request.firstSteps === true;
  const automated = isFirstWanted ? firstStrategies(request, facts, bench) : known;
  const strategies = [...automated, askUser(chain, facts)];
  const repairs = strategies.map((strategy, index) => ({
    ...strategy,
    fallbackChain: strategies.slice(index + 1).map((next) => next.strategy),
  }));
  const [primary, ...alternatives] = repairs;
  assert(primary !== undefined, "a repair plan has at least the question");
  return { kind: request.failure.kind, ...primary, alternatives };
}

/** Used if the chain has nothing to offer; they keep their own order, whether or not they need permission. */
function firstStrategies(
  request: RepairRequest,
  facts: RepairFacts,
  bench: ToolBench,
): readonly RankedStrategy[] {
  return firstSteps(request.failure.kind)
    .flatMap((row) => fromRow(row, 1, facts, bench))
    .filter((strategy) => permitted([strategy], request).length > 0)
    .slice(0, MAX_FIRST)
    .map((strategy, index) => ({ ...strategy, priority: index + 1 }));
}

function repairFacts(request: RepairRequest, bench: ToolBench): RepairFacts {
  const { evidence, failure, sandboxRoot } = request;
  const ran = evidence.tool ?? "run_bash";
  return {
    failure,
    text: errorText(evidence),
    values: repairValues(evidence, request.file),
    exitCode: evidence.exitCode,
    observedAt: evidence.observedAt,
    original: isThere(ran, bench) ? "original" : null,
    originalIsShell: basicToolOf(ran) === "run_bash",
    originalName: ran,
    has: (tool) => bench.bindings.has(tool),
    toolNames: bench.names,
    sandboxRoot,
    platform: request.platform ?? "linux",
    manifestNames: request.manifestNames ?? [],
  };
}

function fromRow(
  row: StrategyRow,
  priority: number,
  facts: RepairFacts,
  bench: ToolBench,
): readonly RankedStrategy[] {
  const drafts = missingTool(row, facts) === undefined ? row.steps(facts) : [];
  if (drafts.length === 0) return [];
  return [
    {
      priority,
      strategy: nameOf(row, facts),
      confidence: row.confidence,
      estimatedIterations: drafts.length,
      steps: drafts.map((draft) => bound(draft, facts, bench)),
    },
  ];
}

function nameOf({ name, variant }: StrategyRow, facts: RepairFacts): string {
  const form = variant?.(facts);
  return form === undefined ? name : `${name}_${form}`;
}

const missingTool = ({ tools }: StrategyRow, facts: RepairFacts): StepTool | undefined =>
  tools.find((tool) =>
    tool === "original"
      ? facts.original === null && !NOT_A_TOOL.has(facts.originalName)
      : !facts.has(tool),
  );

/** A strategy of the chain that is not in the plan, and why. */
export interface PassedOver {
  readonly strategy: string;
  readonly why: string;
}

const PERMISSION_TO: { readonly [risk in Risk]: string } = {
  sudo: "change permissions",
  install: "install software",
  delete: "delete files",
};

/** The strategies of the chain that are impossible or forbidden here. */
export function passedOver(request: RepairRequest): readonly PassedOver[] {
  const bench = toolBench(request.tools);
  const facts = repairFacts(request, bench);
  return chainOf(request.failure.kind).rows.flatMap((row, index) => {
    const strategies = fromRow(row, index + 1, facts, bench);
    const why = strategies.length === 0 ? unfilled(row, facts) : forbidden(strategies, request);
    return why === undefined ? [] : [{ strategy: nameOf(row, facts), why: `needs ${why}` }];
  });
}

function unfilled(row: StrategyRow, facts: RepairFacts): string {
  const tool = missingTool(row, facts);
  if (tool === undefined) return row.needs ?? "more than the error says";
  return `the tool ${tool === "original" ? facts.originalName : tool}`;
}

function forbidden(
  strategies: readonly RankedStrategy[],
  request: RepairRequest,
): string | undefined {
  if (permitted(strategies, request).length > 0) return undefined;
  const risks = strategies.flatMap(({ steps }) =>
    steps.flatMap(({ needsPermission: risk }) => (risk === undefined ? [] : [PERMISSION_TO[risk]])),
  );
  return `permission to ${[...new Set(risks)].join(" and to ")}`;
}

function isThere(name: string, { names, bindings }: ToolBench): boolean {
  const basic = basicToolOf(name);
  return names.includes(name) || (basic !== undefined && bindings.has(basic));
}

function bound(draft: StepDraft, facts: RepairFacts, bench: ToolBench): RepairStep {
  const { tool } = draft;
  if (tool === null) return { ...draft, tool };
  const basic = tool === "original" ? basicToolOf(facts.originalName) : tool;
  const binding = basic === undefined ? undefined : bench.bindings.get(basic);
  if (basic === undefined || binding === undefined) return { ...draft, tool: facts.originalName };
  return { ...draft, ...bindCall(binding, basic, draft.args) };
}

/** Sorts by priority and past outcomes; strategies that require asking come last, forbidden ones are dropped. */
function permitted(
  strategies: readonly RankedStrategy[],
  request: RepairRequest,
): readonly RankedStrategy[] {
  const { mode, permissions = {}, learned } = request;
  const answers = ({ steps }: RankedStrategy): readonly Permission[] =>
    steps.flatMap(({ needsPermission: risk }) =>
      risk === undefined ? [] : [permissions[risk] ?? "ask"],
    );
  const inOrder = strategies.toSorted((a, b) => a.priority - b.priority);
  const free = inOrder.filter((one) => answers(one).every((answer) => answer === "allow"));
  const toAsk = inOrder.filter(
    (one) => answers(one).includes("ask") && !answers(one).includes("deny"),
  );
  const ranked = byOutcomes(free, learned);
  return mode === "run" ? ranked : [...ranked, ...byOutcomes(toAsk, learned)];
}

function withoutRepeats(strategies: readonly RankedStrategy[]): readonly RankedStrategy[] {
  const names = strategies.map(({ strategy }) => strategy);
  return strategies.filter(({ strategy }, index) => names.indexOf(strategy) === index);
}

/** Always present: after the last row, and with at least priority 3. */
function askUser(chain: Chain, { values }: RepairFacts): RankedStrategy {
  return {
    priority: Math.max(3, chain.rows.length + 1),
    strategy: ASK_USER,
    confidence: chain.askConfidence ?? ADDED_ASK_CONFIDENCE,
    estimatedIterations: 1,
    steps: [
      {
        action: "Ask a person",
        tool: null,
        args: { questions: chain.questions(values) },
        expectedOutcome: "An answer that says how to go on",
      },
    ],
  };
}

function placed(added: readonly AddedStrategy[], bench: ToolBench): readonly RankedStrategy[] {
  return added
    .filter(({ strategy, steps }) => strategy !== ASK_USER && steps.length > 0)
    .filter(({ steps }) => steps.every(({ tool }) => tool === null || bench.names.includes(tool)))
    .map(({ strategy, confidence, steps }) => {
      const checked = steps.map(withRisk);
      const isRisky = checked.some((step) => step.needsPermission !== undefined);
      const priority = bandOf(confidence, steps.length, isRisky);
      return { priority, strategy, confidence, estimatedIterations: steps.length, steps: checked };
    });
}

function withRisk(step: RepairStep): RepairStep {
  const needsPermission = step.needsPermission ?? riskOf(Object.values(step.args).join("\n"));
  return needsPermission === undefined ? step : { ...step, needsPermission };
}

/**
 * The priority of a strategy that is not in a chain, by the source document's bands of confidence, iterations and risk.
 */
function bandOf(confidence: number, iterations: number, isRisky: boolean): number {
  if (confidence < 0.5 || iterations > 5) return 4;
  if (confidence > 0.8 && iterations <= 3 && !isRisky) return 1;
  return confidence >= 0.6 ? 2 : 3;
}
