/**
 * The user's own plan: checked as it is typed, with errors at their lines, and what it would start, check and cost.
 * Invariant: results are shown below the button, which does not move.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { problemOf, readLong } from "../api/client.ts";
import type { Reads } from "../api/operations.ts";
import type { Reading } from "../api/reading.ts";
import { Icon } from "../parts/icons.tsx";
import { start, ActionError, useAction } from "./action.tsx";
import { planDraft } from "./drafts.ts";
import { limitWords } from "./limits.ts";

type Checked = Reads["check-plan"]["output"];

const PAUSE_MS = 300;

/** The last answer stays while a newer one is loading. */
function useChecked(planText: string): Reading<Checked> {
  const [checked, setChecked] = useState<Reading<Checked>>({});
  useEffect(() => {
    if (planText.trim() === "") return setChecked({});
    let isOver = false;
    const timer = setTimeout(() => {
      readLong("check-plan", { planText }).then(
        (value) => isOver || setChecked({ value }),
        (error: unknown) => isOver || setChecked({ problem: problemOf(error) }),
      );
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [planText]);
  return checked;
}

export function PlanForm() {
  const plan = planDraft.value;
  const setPlan = (text: string): void => {
    planDraft.value = text;
  };
  /** The error of one text does not apply to the next. */
  const [tried, setTried] = useState<string>();
  const [busy, problem, doing] = useAction();
  const { value, problem: unread } = useChecked(plan);
  const box = useRef<HTMLTextAreaElement>(null);
  const problems = value?.problems ?? [];
  const refused = plan === tried ? problem : undefined;
  return (
    <form
      class="new-form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(plan);
        doing(async () => {
          await start(plan);
          setPlan("");
        });
      }}
    >
      <div class="field">
        <label for="plan-text">
          <span>The plan, in YAML</span>
        </label>
        <Editor
          {...{ box, plan, setPlan }}
          wrong={new Set(problems.flatMap(({ line }) => line ?? []))}
        />
      </div>
      <div class="answer-actions">
        <button class="primary" type="submit" disabled={busy || plan.trim() === ""}>
          {busy ? "Starting" : "Start the run"}
        </button>
        <span class="dim">Its commands run on this machine.</span>
      </div>
      <div role="status" class="plan-problems">
        {problems.map(({ line, column, message, next }, index) => (
          <p key={index} class="notice" data-tone="failed">
            {line === undefined ? null : (
              <button
                type="button"
                class="quiet"
                onClick={() => putCaret(box.current, plan, line, column ?? 1)}
              >
                Line {line}
              </button>
            )}
            <span>
              {message}
              {next === undefined ? null : <span class="plan-next">{next}</span>}
            </span>
          </p>
        ))}
        {value !== undefined && problems.length === 0 ? (
          <p class="state" data-tone="good">
            <Icon name="check" tone="good" />
            <span>This plan can start.</span>
          </p>
        ) : null}
      </div>
      {value?.plan === undefined ? null : <Described plan={value.plan} />}
      {/* Errors of the plan are already shown above, line by line. */}
      <ActionError problem={problems.length > 0 ? undefined : (refused ?? unread)} />
    </form>
  );
}

interface EditorProps {
  readonly box: { readonly current: HTMLTextAreaElement | null };
  readonly plan: string;
  readonly setPlan: (plan: string) => void;
  readonly wrong: ReadonlySet<number>;
}

const NUMBERED_MOST = 2000;

function Editor({ box, plan, setPlan, wrong }: EditorProps) {
  const numbers = useRef<HTMLDivElement>(null);
  const lines = Math.min(NUMBERED_MOST, plan.split("\n").length);
  return (
    <div class="plan-editor">
      <div class="plan-numbers" ref={numbers} aria-hidden="true">
        {Array.from({ length: lines }, (_, index) => (
          <span key={index} data-wrong={wrong.has(index + 1) ? "" : undefined}>
            {index + 1}
          </span>
        ))}
      </div>
      <textarea
        id="plan-text"
        class="plan-text"
        required
        spellcheck={false}
        wrap="off"
        ref={box}
        value={plan}
        placeholder={PLAN_EXAMPLE}
        aria-invalid={wrong.size > 0}
        onInput={({ currentTarget }) => setPlan(currentTarget.value)}
        onScroll={({ currentTarget }) => {
          if (numbers.current !== null) numbers.current.scrollTop = currentTarget.scrollTop;
        }}
      />
    </div>
  );
}

function putCaret(
  box: HTMLTextAreaElement | null,
  plan: string,
  line: number,
  column: number,
): void {
  if (box === null) return;
  const before = plan.split("\n").slice(0, line - 1);
  const at = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  box.focus();
  box.setSelectionRange(at, at);
}

const NAMED = 8;

function Described({ plan }: { readonly plan: NonNullable<Checked["plan"]> }) {
  const { subtasks, commands, limits } = plan;
  const { timeMs, unreported, usd, attempts, tokens } = limits;
  const of = (what: string): readonly string[] =>
    commands.flatMap((one) => (one.what === what ? [one.run] : []));
  const more = subtasks.length - NAMED;
  const bounds = {
    ...{ usd, attempts, tokens },
    minutes: timeMs === undefined ? undefined : timeMs / 60_000,
  };
  return (
    <dl class="plan-described panel">
      <dt class="dim">Subtasks</dt>
      <dd>
        {subtasks
          .slice(0, NAMED)
          .map(({ id }) => id)
          .join(", ")}
        {more > 0 ? ` and ${more} more` : ""}
      </dd>
      <Commands name="Agents" runs={of("agent")} />
      <Commands name="Set-up" runs={of("setup")} />
      <Commands name="Checks" runs={of("check")} />
      <dt class="dim">At most</dt>
      <dd>
        {limitWords(bounds)}
        {unreported.length > 0 && usd !== undefined ? (
          <span class="dim">
            {" "}
            ({unreported.join(", ")} tells no cost: no limit in dollars holds it)
          </span>
        ) : null}
      </dd>
    </dl>
  );
}

const Commands = ({ name, runs }: { readonly name: string; readonly runs: readonly string[] }) =>
  runs.length === 0 ? null : (
    <>
      <dt class="dim">{name}</dt>
      <dd>
        {runs.map((run) => (
          <code key={run}>{run}</code>
        ))}
      </dd>
    </>
  );

const PLAN_EXAMPLE = `goal: make the login work
agent: claude
subtasks:
  - id: login
    prompt: Make the login work without cookies.
    checks: [npm test]`;
