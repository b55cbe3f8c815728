/** What a run from a goal would do: where, with which agent and checks, and within which budget. */
import type { Problem } from "../api/client.ts";
import type { Changes } from "../api/operations.ts";
import { Icon } from "../parts/icons.tsx";
import { repositoryName } from "../runs/run-filter.ts";
import { ActionError } from "./action.tsx";
import { limitWords } from "./limits.ts";

type Prepared = Changes["prepare-goal"]["output"];
type Check = Prepared["checks"][number];

interface Props {
  readonly prepared: Prepared;
  readonly busy: boolean;
  readonly problem: Problem | undefined;
  readonly back: () => void;
  readonly children: preact.ComponentChildren;
}

export function GoalPreview({ prepared, busy, problem, back, children }: Props) {
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
        <dt class="dim">Agent</dt>
        <dd>{agent.title === agent.agent ? <code>{agent.title}</code> : agent.title}</dd>
        <dt class="dim">Checks</dt>
        <dd>
          <ul>
            {checks.map((check) => (
              <Checked key={check.run} check={check} />
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
      <div class="answer-actions">
        {children}
        <button disabled={busy} onClick={back}>
          Back
        </button>
      </div>
      <ActionError problem={problem} />
    </div>
  );
}

const LOOKS = {
  green: { icon: "check", tone: "good", words: "passes now" },
  red: { icon: "cross", tone: "failed", words: "fails now" },
  untried: { icon: "dotted", tone: "still", words: "not tried yet" },
} as const;

function Checked({ check }: { readonly check: Check }) {
  const { run, state = "untried", expect, headline } = check;
  const { icon, tone, words } = LOOKS[state];
  const must = state === "red" && expect === "no-worse" ? " and must not get worse" : "";
  return (
    <li>
      <Icon name={icon} tone={tone} /> <code>{run}</code>{" "}
      <span class="dim">
        {words}
        {must}
        {headline === undefined ? "" : `: ${headline}`}
      </span>
    </li>
  );
}
