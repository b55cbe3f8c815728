/**
 * A run from a goal: first a preview of what would run, with which agent, checks and budget; then the user confirms.
 * Invariant: the fields are there at once and stay in place while data is loading.
 */
import { useRef, useState } from "preact/hooks";
import { change, read } from "../api/client.ts";
import type { Changes, Reads } from "../api/operations.ts";
import { useReading, type Reading } from "../api/reading.ts";
import { Failed, Loading } from "../parts/states.tsx";
import { start, ActionError, useAction } from "./action.tsx";
import { forgetGoal, goalDraft, type GoalDraft } from "./drafts.ts";
import { GoalPreview } from "./goal-preview.tsx";
import { limitWords } from "./limits.ts";

type Agents = Reads["goal-agent"]["output"];
type Agent = NonNullable<Agents["agent"]>;
type Found = Reads["found-here"]["output"];
type Prepared = Changes["prepare-goal"]["output"];

const type = (more: Partial<GoalDraft>): void => {
  goalDraft.value = { ...goalDraft.value, ...more };
};

export function GoalForm() {
  const { value: agents, problem: unread } = withoutAgent(useReading("goal-agent", {}).value);
  const known = agents === undefined ? undefined : knownAgents(agents);
  const { goal, checks, usd, agent = known?.[0]?.agent ?? "" } = goalDraft.value;
  const [prepared, setPrepared] = useState<Prepared>();
  const [busy, problem, doing] = useAction();
  const here = useFoundHere(known?.find((one) => one.agent === agent)?.namesCost === true);
  const prepare = async (): Promise<void> => {
    const chosen =
      known?.find((one) => one.agent === agent) ?? (await read("goal-agent", { agent })).agent;
    if (chosen === undefined) return;
    const given = checks.split("\n").filter((line) => line.trim() !== "");
    const asked = { goal, agent: chosen, canAsk: true };
    const more = {
      ...(given.length > 0 ? { checks: given } : {}),
      ...(Number(usd) > 0 ? { usd: Number(usd) } : {}),
    };
    setPrepared(await change("prepare-goal", { ...asked, ...more }));
  };
  const begin =
    ({ plan }: Prepared) =>
    async (): Promise<void> => {
      await start(plan);
      forgetGoal();
    };
  if (unread !== undefined && agents === undefined) return <Failed problem={unread} />;
  if (prepared !== undefined)
    return (
      <GoalPreview {...{ prepared, busy, problem }} back={() => setPrepared(undefined)}>
        <button class="primary" disabled={busy} onClick={() => doing(begin(prepared))}>
          {busy ? "Starting" : "Start the run"}
        </button>
      </GoalPreview>
    );
  return (
    <form
      class="new-form"
      onSubmit={(event) => {
        event.preventDefault();
        doing(prepare);
      }}
    >
      <div class="field">
        <label for="goal-text">What should be done?</label>
        <textarea
          id="goal-text"
          required
          value={goal}
          placeholder="Make the login page work without cookies, with tests"
          onInput={({ currentTarget }) => type({ goal: currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="goal-agent">Agent</label>
        {known === undefined ? <Loading rows={1} /> : <AgentField known={known} agent={agent} />}
      </div>
      <div class="field">
        <label for="goal-checks">Checks, one per line</label>
        <textarea
          id="goal-checks"
          aria-describedby="goal-checks-hint"
          value={checks}
          placeholder={here?.checks.map(({ run }) => run).join("\n") || "npm test"}
          onInput={({ currentTarget }) => type({ checks: currentTarget.value })}
        />
        <p class="hint dim" id="goal-checks-hint">
          {checksHint(here?.checks)}
        </p>
      </div>
      <div class="field">
        <label for="goal-usd">Spend at most, in dollars</label>
        <input
          id="goal-usd"
          class="short"
          type="number"
          min="0.01"
          step="0.01"
          aria-describedby="goal-usd-hint"
          value={usd}
          onInput={({ currentTarget }) => type({ usd: currentTarget.value })}
        />
        <p class="hint dim" id="goal-usd-hint">
          {here === undefined ? "" : `If left empty: ${limitWords(here.budget)}.`}
        </p>
      </div>
      <div class="answer-actions">
        <button
          class="primary"
          type="submit"
          disabled={busy || known === undefined || goal.trim() === ""}
        >
          {busy ? "Trying the checks" : "Preview"}
        </button>
        <span class="dim">Nothing starts yet.</span>
      </div>
      <ActionError problem={problem} />
    </form>
  );
}

/** If none is found, the user names one. */
const withoutAgent = (found: Reading<Agents>): Reading<Agents> =>
  found.problem?.code === "bad-input" || found.problem?.code === "not-found"
    ? { value: { others: [] } }
    : found;

const knownAgents = ({ agent, others }: Agents): readonly Agent[] => [
  ...(agent === undefined ? [] : [agent]),
  ...others,
];

/** The last finding stays while a new one is loading. */
function useFoundHere(namesCost: boolean): Found | undefined {
  const { value } = useReading("found-here", { namesCost }).value;
  const last = useRef(value);
  last.current = value ?? last.current;
  return last.current;
}

interface AgentProps {
  readonly known: readonly Agent[];
  readonly agent: string;
}

/** A choice among those found; if there were none, or the user named another, a text field, which then stays. */
function AgentField({ known, agent }: AgentProps) {
  const [isListed] = useState(() => known.some((one) => one.agent === agent));
  return isListed ? (
    <select
      id="goal-agent"
      value={agent}
      onInput={({ currentTarget }) => type({ agent: currentTarget.value })}
    >
      {known.map((one) => (
        <option key={one.agent} value={one.agent}>
          {one.title}
          {one.version === undefined ? "" : ` ${one.version}`}
        </option>
      ))}
    </select>
  ) : (
    <input
      id="goal-agent"
      required
      value={agent}
      placeholder="claude, codex, or a command with {prompt}"
      onInput={({ currentTarget }) => type({ agent: currentTarget.value })}
    />
  );
}

/** What an empty field means. */
function checksHint(found: readonly unknown[] | undefined): string {
  if (found === undefined) return "";
  if (found.length === 0) return "None found here. Without a check, nothing verifies the result.";
  return found.length === 1
    ? "If left empty: the one found here."
    : `If left empty: the ${found.length} found here.`;
}
