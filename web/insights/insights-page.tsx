/** The benefit of recovery: how often it works and by which move, what it costs, and what was learned here. */
import { count, duration } from "../../src/core/amounts.ts";
import { KIND_WORDS } from "../../src/core/kind-words.ts";
import { RECOVERY_WORDS } from "../../src/core/recovery.ts";
import type { Reads } from "../api/operations.ts";
import { useReading, useRuns } from "../api/reading.ts";
import { roundDuration } from "../parts/amounts.tsx";
import { Empty, FailedOnce, Read } from "../parts/states.tsx";
import { Ago } from "../parts/times.tsx";
import { repositoryName } from "../runs/run-filter.ts";
import { ChartPlace } from "./chart.tsx";
import { byDay, HOUR_STEPS, USD_STEPS } from "./spending.ts";

const HOUR_MS = 3_600_000;
const DAYS_MS = 90 * 86_400_000;

export function InsightsPage() {
  const metrics = useReading("metrics", {});
  const stats = useReading("stats", {});
  const memory = useReading("memory-list", {});
  const runs = useRuns();
  return (
    <section class="page insights" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">Insights</h1>
      </div>
      <FailedOnce of={[metrics, runs, stats, memory].map((one) => one.value)} />
      <Read reading={metrics.value} rows={2} quiet>
        {(value) => <Figures of={value} />}
      </Read>
      <Read reading={runs.value} rows={4} quiet>
        {(value) => <Spending of={value} />}
      </Read>
      <Read reading={stats.value} rows={4} quiet>
        {(value) => <Learned of={value} />}
      </Read>
      <Read reading={memory.value} rows={2} quiet>
        {(value) => <Lessons of={value} />}
      </Read>
    </section>
  );
}

function Figures({ of }: { readonly of: Reads["metrics"]["output"] }) {
  const { runs, recovery_triggers: triggers, recovery_success: worked } = of;
  const share = triggers === 0 ? "–" : `${Math.round((100 * worked) / triggers)}%`;
  const figures: readonly (readonly [string, string, string])[] = [
    [
      "Recovered",
      share,
      triggers === 0
        ? "no subtask has been in trouble yet"
        : `${worked} of ${triggers} times that a subtask was in trouble`,
    ],
    ["Recovery attempts", String(of.recovery_iterations), "attempts that were not the first"],
    ["Runs", String(runs), "in all repositories"],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value, about]) => (
        <div key={name} class="panel">
          <dt class="dim">{name}</dt>
          <dd class="figure">{value}</dd>
          <dd class="dim">{about}</dd>
        </div>
      ))}
    </dl>
  );
}

function Spending({ of: { runs } }: { readonly of: Reads["list"]["output"] }) {
  const days = byDay(runs, Date.now() - DAYS_MS);
  if (days.length === 0) return null;
  const usd = days.reduce((sum, day) => sum + day.usd, 0);
  const hours = days.reduce((sum, day) => sum + day.hours, 0);
  const begun = days.reduce((sum, day) => sum + day.runs, 0);
  const told = runs.filter(({ cost }) => typeof cost?.amount === "number").length;
  const x = days.map(({ at }) => at / 1000);
  return (
    <section class="charts" aria-label="Money and time">
      {told === 0 ? null : (
        <ChartPlace
          title="Money per day"
          kind="bars"
          x={x}
          y={days.map((day) => day.usd)}
          value={(y) => `$${y.toFixed(2)}`}
          steps={USD_STEPS}
          words={`$${usd.toFixed(2)} in the last 90 days, as reported by ${told} of ${count(runs.length, "run")}`}
        />
      )}
      <ChartPlace
        title="Time per day"
        kind="bars"
        x={x}
        y={days.map((day) => day.hours)}
        value={(y) => roundDuration(y * HOUR_MS)}
        steps={HOUR_STEPS}
        words={`${duration(hours * HOUR_MS)} in the last 90 days, over ${count(begun, "run")}`}
      />
    </section>
  );
}

function Learned({ of }: { readonly of: Reads["stats"]["output"] }) {
  const { moves, calibration, repository } = of;
  return (
    <section aria-labelledby="learned-title">
      <h2 id="learned-title">What was learned in {repositoryName(repository)}</h2>
      {moves.length === 0 ? (
        <Empty title="Nothing yet">
          <p class="dim">After the first recoveries, this shows which of them work.</p>
        </Empty>
      ) : (
        <div class="table-place panel" tabIndex={0} role="group" aria-labelledby="learned-title">
          <table>
            <thead>
              <tr>
                <th>After</th>
                <th>What is done</th>
                <th>Agent</th>
                <th class="number">Worked here</th>
                <th>Likely to work</th>
              </tr>
            </thead>
            <tbody>
              {moves.map((move) => (
                <Move
                  key={`${move.symptom} ${move.move} ${move.agent} ${move.tierStep}`}
                  of={move}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {calibration.length === 0 ? null : (
        <ChartPlace
          title="Predicted and actual success"
          kind="points"
          x={calibration.map(({ said }) => said)}
          y={calibration.map(({ worked }) => worked)}
          value={(y) => `${Math.round(y * 100)}%`}
          steps={[0.25, 0.5]}
          words="Across: how likely a recovery was thought to work. Up: how often it did."
        />
      )}
    </section>
  );
}

type LearnedMove = Reads["stats"]["output"]["moves"][number];
const KINDS: Readonly<Record<string, { readonly name: string } | undefined>> = KIND_WORDS;
const MOVES: Readonly<Record<string, { readonly does: string } | undefined>> = RECOVERY_WORDS;

const moveWords = (move: string): string => {
  const [first = "", strategy] = move.split("/");
  const words = MOVES[first]?.does ?? first;
  return strategy === undefined ? words : `${words}: ${strategy.replaceAll("-", " ")}`;
};

const Move = ({ of: { symptom, move, agent, here, prior, posterior } }: { of: LearnedMove }) => (
  <tr>
    <td>{KINDS[symptom]?.name ?? symptom}</td>
    <td>{moveWords(move)}</td>
    <td class="dim">{agent}</td>
    <td class="number">
      {Number(here.worked.toFixed(1))} of {Number(here.tried.toFixed(1))}
    </td>
    <td>
      <span class="likely" title={`${Math.round(prior * 100)}% before anything was learned`}>
        <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect class="progress-all" width="100" height="6" rx="1" />
          <rect class="bar-share" width={posterior * 100} height="6" rx="1" />
          <rect class="prior" x={prior * 100} width="1.5" height="6" />
        </svg>
        <span>{Math.round(posterior * 100)}%</span>
      </span>
    </td>
  </tr>
);

function Lessons({ of: { lessons } }: { readonly of: Reads["memory-list"]["output"] }) {
  if (lessons.length === 0) return null;
  return (
    <section aria-labelledby="lessons-title">
      <h2 id="lessons-title">Remembered failures</h2>
      <ul class="lessons panel">
        {lessons.map(({ id, kind, summary, recovery, at, overcome }) => (
          <li key={id}>
            <span class="lesson-kind">{KINDS[kind]?.name ?? kind}</span>
            <span class="lesson-summary">{summary}</span>
            <span class="dim">
              {recovery === undefined ? "not overcome yet" : moveWords(recovery)}
              {overcome > 1 ? `, ${overcome} times` : ""}
            </span>
            <span class="dim">
              <Ago at={Date.parse(at)} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
