/** All runs, those that need a person first, with filters and search; any number of them. */
import { useMemo, useRef, useState } from "preact/hooks";
import { count } from "../../src/core/amounts.ts";
import type { ListedRun, Reads } from "../api/operations.ts";
import { useRuns } from "../api/reading.ts";
import { costText, costTitle, grouped, Progress } from "../parts/amounts.tsx";
import { Command } from "../parts/command.tsx";
import { Icon } from "../parts/icons.tsx";
import { runLook, State } from "../parts/state-words.tsx";
import { Empty, Read } from "../parts/states.tsx";
import { Ago, agoText, now } from "../parts/times.tsx";
import { WindowedList } from "../parts/windowed-list.tsx";
import { useKeys } from "../shell/keyboard.ts";
import { go, runPath } from "../shell/route.ts";
import { counts, found, ordered, repositoryName } from "./run-filter.ts";
import { FILTER_WORDS, FILTERS, type Filter } from "./run-filter.ts";

export function RunsPage() {
  const runs = useRuns();
  return (
    <section class="page" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">Runs</h1>
      </div>
      <Read reading={runs.value} rows={12}>
        {(value) => <Runs value={value} />}
      </Read>
    </section>
  );
}

function Runs({ value }: { readonly value: Reads["list"]["output"] }) {
  const [filter, setFilter] = useState<Filter>("all");
  const [search, setSearch] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const all = useMemo(() => ordered(value.runs), [value]);
  const number = useMemo(() => counts(all), [all]);
  const shown = useMemo(() => found(all, filter, search), [all, filter, search]);
  useKeys({ "/": () => box.current?.focus() });
  if (all.length === 0)
    return (
      <Empty title="No runs yet">
        <p class="dim">Start one in a repository, and it shows up here.</p>
        <Command text='unstuck "make the tests pass"' />
      </Empty>
    );
  return (
    <>
      <div class="filters">
        <div class="segments" role="group" aria-label="Which runs">
          {FILTERS.filter((one) => one === "all" || one === filter || number[one] > 0).map(
            (one) => (
              <button key={one} aria-pressed={one === filter} onClick={() => setFilter(one)}>
                {FILTER_WORDS[one]} <span class="dim">{grouped(number[one])}</span>
              </button>
            ),
          )}
        </div>
        <label class="search">
          <Icon name="search" />
          <input
            ref={box}
            type="search"
            placeholder="Search"
            aria-label="Search in title, repository, branch and id"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <kbd>/</kbd>
        </label>
      </div>
      <p class="hidden" role="status">
        {count(shown.length, "run")}
      </p>
      {shown.length === 0 ? (
        <Empty title="No run matches">
          <button
            onClick={() => {
              setFilter("all");
              setSearch("");
            }}
          >
            Show all {grouped(all.length)}
          </button>
        </Empty>
      ) : (
        <WindowedList
          items={shown}
          label="Runs"
          keyOf={({ id }) => id}
          row={(run) => <RunRow run={run} />}
          open={({ id }) => go(runPath(id))}
        />
      )}
    </>
  );
}

const RunRow = ({ run }: { readonly run: ListedRun }) => (
  <a class="run-row" href={runPath(run.id)}>
    <State of={runLook(run.state)} />
    <span class="run-title">
      <span class="run-name" title={run.title}>
        {run.title}
      </span>
      <StandsBecause run={run} />
    </span>
    <span class="run-place dim" title={run.repository}>
      {repositoryName(run.repository)}
    </span>
    <span class="run-progress">
      {run.progress === undefined ? null : (
        <Progress done={run.progress.done} of={run.progress.subtasks} />
      )}
    </span>
    <span class="run-cost" title={costTitle(run.cost)}>
      {costText(run.cost)}
    </span>
    <span class="run-age dim">
      <Ago at={run.created} />
    </span>
  </a>
);

/** What the state alone does not tell. */
function StandsBecause({ run: { state, questions, waitsUntil, applied } }: { run: ListedRun }) {
  const words =
    questions > 0
      ? `${questions} ${questions === 1 ? "question" : "questions"}`
      : state === "waiting" && waitsUntil !== undefined
        ? `goes on ${agoText(Date.parse(waitsUntil), now.value)}`
        : state === "verified" && applied
          ? "applied"
          : "";
  return words === "" ? null : <span class="run-because">{words}</span>;
}
