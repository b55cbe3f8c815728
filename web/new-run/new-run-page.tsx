/**
 * Starts a run from a goal: first it is looked at what would be run, by whom, checked by what and within which budget;
 * then a person says yes. A plan of their own starts as it is.
 */
import { useState } from "preact/hooks";
import { change, read, type Problem } from "../api/client.ts";
import type { Changes, Reads } from "../api/operations.ts";
import { useReading, type Reading } from "../api/reading.ts";
import { Icon } from "../parts/icons.tsx";
import { Read } from "../parts/states.tsx";
import { repositoryName } from "../runs/run-filter.ts";
import { start, Trouble, useDoing } from "./doing.tsx";
import { limitWords } from "./limits.ts";
import { PlanForm } from "./plan-form.tsx";

type Agents = Reads["goal-agent"]["output"];
type Prepared = Changes["prepare-goal"]["output"];

export function NewRunPage() {
  const [kind, setKind] = useState<"goal" | "plan">("goal");
  const agents = useReading("goal-agent", {});
  return (
    <section class="page new-run" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">New run</h1>
        <div class="segments" role="group" aria-label="From">
          {(["goal", "plan"] as const).map((one) => (
            <button key={one} aria-pressed={kind === one} onClick={() => setKind(one)}>
              {one === "goal" ? "From a goal" : "From a plan"}
            </button>
          ))}
        </div>
      </div>
      {kind === "plan" ? (
        <PlanForm />
      ) : (
        <Read reading={withoutAgent(agents.value)} rows={3}>
          {(value) => <GoalForm agents={value} />}
        </Read>
      )}
    </section>
  );
}

/** Where none is found a person names one. */
const withoutAgent = (found: Reading<Agents>): Reading<Agents> =>
  found.problem?.code === "bad-input" || found.problem?.code === "not-found"
    ? { value: { others: [] } }
    : found;

function GoalForm({ agents }: { readonly agents: Agents }) {
  const known = [...(agents.agent === undefined ? [] : [agents.agent]), ...agents.others];
  const [goal, setGoal] = useState("");
  const [agent, setAgent] = useState(known[0]?.agent ?? "");
  const [checks, setChecks] = useState("");
  const [usd, setUsd] = useState("");
  const [prepared, setPrepared] = useState<Prepared>();
  const [busy, problem, doing] = useDoing();
  const namesCost = known.find((one) => one.agent === agent)?.namesCost === true;
  const here = useReading("found-here", { namesCost }).value.value;
  const prepare = async (): Promise<void> => {
    const chosen =
      known.find((one) => one.agent === agent) ?? (await read("goal-agent", { agent })).agent;
    if (chosen === undefined) return;
    const given = checks.split("\n").filter((line) => line.trim() !== "");
    const asked = { goal, agent: chosen, canAsk: true };
    const more = {
      ...(given.length > 0 ? { checks: given } : {}),
      ...(Number(usd) > 0 ? { usd: Number(usd) } : {}),
    };
    setPrepared(await change("prepare-goal", { ...asked, ...more }));
  };
  if (prepared !== undefined)
    return (
      <Card {...{ prepared, busy, problem }} back={() => setPrepared(undefined)}>
        <button class="primary" disabled={busy} onClick={() => doing(() => start(prepared.plan))}>
          {busy ? "Starting" : "Start the run"}
        </button>
      </Card>
    );
  return (
    <form
      class="new-form"
      onSubmit={(event) => {
        event.preventDefault();
        doing(prepare);
      }}
    >
      <label>
        <span>What is to be done?</span>
        <textarea
          required
          value={goal}
          placeholder="Make the login page work without cookies, with tests"
          onInput={({ currentTarget }) => setGoal(currentTarget.value)}
        />
      </label>
      <label>
        <span>Agent</span>
        {known.length > 0 ? (
          <select value={agent} onInput={({ currentTarget }) => setAgent(currentTarget.value)}>
            {known.map((one) => (
              <option key={one.agent} value={one.agent}>
                {one.title}
                {one.version === undefined ? "" : ` ${one.version}`}
              </option>
            ))}
          </select>
        ) : (
          <input
            required
            value={agent}
            placeholder="claude, codex, or a command with {prompt}"
            onInput={({ currentTarget }) => setAgent(currentTarget.value)}
          />
        )}
      </label>
      <label>
        <span>
          Checks, one a line <span class="dim">{checksHint(here?.checks)}</span>
        </span>
        <textarea
          value={checks}
          placeholder={here?.checks.map(({ run }) => run).join("\n") || "npm test"}
          onInput={({ currentTarget }) => setChecks(currentTarget.value)}
        />
      </label>
      <label>
        <span>
          At most, in dollars{" "}
          <span class="dim">
            (empty: {here === undefined ? "the usual" : limitWords(here.budget)})
          </span>
        </span>
        <input
          class="short"
          type="number"
          min="0.01"
          step="0.01"
          value={usd}
          onInput={({ currentTarget }) => setUsd(currentTarget.value)}
        />
      </label>
      <Trouble problem={problem} />
      <div>
        <button class="primary" type="submit" disabled={busy || goal.trim() === ""}>
          {busy ? "Trying the checks" : "Look at it first"}
        </button>
      </div>
    </form>
  );
}

/** What an empty field means. */
const checksHint = (found: readonly unknown[] | undefined): string =>
  found === undefined
    ? "(empty: what the repository has)"
    : found.length === 0
      ? "(none found here: name one, so that the result can be verified)"
      : `(empty: the ${found.length} found here)`;

interface CardProps {
  readonly prepared: Prepared;
  readonly busy: boolean;
  readonly problem: Problem | undefined;
  readonly back: () => void;
  readonly children: preact.ComponentChildren;
}

function Card({ prepared, busy, problem, back, children }: CardProps) {
  const { goal, agent, repository, from, checks, leftOut, budget, changesLeftOut } = prepared;
  return (
    <div class="new-card panel">
      <p class="new-goal">{goal}</p>
      <dl>
        <dt class="dim">Where</dt>
        <dd>
          {repositoryName(repository)}
          {from.branch === null ? "" : `, from ${from.branch}`}
          {changesLeftOut > 0 ? `; ${changesLeftOut} changed files are left out` : ""}
        </dd>
        <dt class="dim">Who</dt>
        <dd>{agent.title}</dd>
        <dt class="dim">Checked by</dt>
        <dd>
          <ul>
            {checks.map(({ run, state, headline }) => (
              <li key={run}>
                <Icon
                  name={state === "red" ? "cross" : "check"}
                  tone={state === "red" ? "failed" : "good"}
                />{" "}
                <code>{run}</code> <span class="dim">{headline ?? ""}</span>
              </li>
            ))}
            {leftOut.map(({ run, why }) => (
              <li key={run} class="dim">
                <code>{run}</code> left out: {why}
              </li>
            ))}
          </ul>
        </dd>
        <dt class="dim">At most</dt>
        <dd>{limitWords(budget)}</dd>
      </dl>
      <Trouble problem={problem} />
      <div class="answer-actions">
        {children}
        <button disabled={busy} onClick={back}>
          Back
        </button>
      </div>
    </div>
  );
}
