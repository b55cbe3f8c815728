/** A run: its state, its subtasks as a graph or a list, all attempts over time, and one subtask in full. */
import { useEffect, useState } from "preact/hooks";
import type { OutlinedSubtask, Reads, RunOutline } from "../api/operations.ts";
import { useReading } from "../api/reading.ts";
import { costText, costTitle, Progress } from "../parts/amounts.tsx";
import { Command } from "../parts/command.tsx";
import { Icon } from "../parts/icons.tsx";
import { runLook, State } from "../parts/state-words.tsx";
import { Empty, Failed, failureOf, Loading, Read } from "../parts/states.tsx";
import { Ago, Took } from "../parts/times.tsx";
import { repositoryName } from "../runs/run-filter.ts";
import { useKeys } from "../shell/keyboard.ts";
import { go, runPath } from "../shell/route.ts";
import { Graph, isDone } from "./graph.tsx";
import { RunActions } from "./run-actions.tsx";
import { SubtaskList } from "./subtask-list.tsx";
import { SubtaskPanel } from "./subtask-panel.tsx";
import { Timeline } from "./timeline.tsx";

interface Props {
  readonly run: string;
  readonly subtask?: string | undefined;
}

export function RunPage({ run, subtask }: Props) {
  const about = useReading("read", { run }, [`run ${run}`]);
  const outline = useReading("outline", { run }, [`run ${run}`]);
  const problem = failureOf([about.value, outline.value]);
  if (problem !== undefined)
    return (
      <div class="page">
        <Crumbs run={run} />
        <div class="page-head">
          <h1>Run {run}</h1>
        </div>
        <Failed problem={problem} />
      </div>
    );
  return (
    <div class="page">
      {about.value.value === undefined ? (
        <header class="run-head">
          <Crumbs run={run} />
          <h1>{outline.value.value?.goal ?? `Run ${run}`}</h1>
          <Loading rows={2} />
        </header>
      ) : (
        <RunHead run={about.value.value} />
      )}
      <Read reading={outline.value}>{(value) => <RunBody outline={value} asked={subtask} />}</Read>
    </div>
  );
}

const Crumbs = ({ run }: { readonly run: string }) => (
  <nav class="crumbs" aria-label="Where this is">
    <a href="/">Runs</a> <span aria-hidden="true">/</span> <span>{run}</span>
  </nav>
);

function RunHead({ run }: { readonly run: Reads["read"]["output"] }) {
  const { id, title, state, card, repository, branch, cost, created, subtasks } = run;
  const done = subtasks.filter(({ phase }) => isDone(phase)).length;
  // The card may be a moment newer than the rest, if the run's process has just ended.
  const look = runLook(state);
  return (
    <header class="run-head">
      <Crumbs run={id} />
      <div class="page-head">
        <h1>{card?.goal ?? title}</h1>
        <RunActions run={run} />
      </div>
      <div class="run-standing" aria-live="polite">
        <State of={card?.state === state ? { ...look, words: card.sentence } : look} />
      </div>
      <dl class="facts">
        <Fact name="Repository">
          <span title={repository}>{repositoryName(repository)}</span>
          {branch === undefined ? null : <span class="dim"> on {branch}</span>}
        </Fact>
        <Fact name="Progress">
          <Progress done={done} of={subtasks.length} />
        </Fact>
        <Fact name="Cost">
          <span title={costTitle(cost)}>{costText(cost)}</span>
        </Fact>
        {card === undefined ? null : (
          <Fact name={run.alive ? "Running for" : "Took"}>
            <Took from={created} to={run.alive ? undefined : (run.changed ?? created)} />
          </Fact>
        )}
        <Fact name="Started">
          <Ago at={created} />
        </Fact>
      </dl>
      {card === undefined || card.warnings.length === 0 ? null : (
        <ul class="notice" data-tone="doubt">
          {card.warnings.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {run.alive || run.next.length === 0 ? null : (
        <details class="next-commands">
          <summary>
            <Icon name="next" />
            At the terminal
          </summary>
          {run.next.map(({ command, about }) => (
            <Command key={command} text={command} about={about} />
          ))}
        </details>
      )}
    </header>
  );
}

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div>
    <dt class="dim">{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface BodyProps {
  readonly outline: RunOutline;
  readonly asked: string | undefined;
}

const NARROW = "(max-width: 720px)";

function RunBody({ outline, asked }: BodyProps) {
  const { run, subtasks } = outline;
  const [view, setView] = useState<"graph" | "list">(matchMedia(NARROW).matches ? "list" : "graph");
  const selected = subtasks.find(({ id }) => id === asked) ?? mostTelling(subtasks);
  const select = (id: string): void => go(runPath(run, id), "replace");
  const step = (by: number) => (): void => {
    const next = subtasks[subtasks.findIndex(({ id }) => id === selected?.id) + by];
    if (next !== undefined) select(next.id);
  };
  const isDrawn = useLater();
  const last = selected?.attempts.at(-1);
  useKeys({
    j: step(1),
    k: step(-1),
    Escape: () => go("/"),
    ...(last === undefined || selected === undefined
      ? {}
      : { Enter: () => go(runPath(run, selected.id, last.attempt)) }),
  });
  useEffect(() => {
    const marked = document.querySelector(".node[aria-pressed='true']");
    marked?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [selected?.id, view]);
  if (subtasks.length === 0) return <Empty title="It has not started yet" />;
  return (
    <div class="run-body">
      <div class="run-main">
        <section class="panel" aria-labelledby="subtasks-title">
          <header class="panel-head">
            <h2 id="subtasks-title">Subtasks</h2>
            <div class="segments" role="group" aria-label="Shown as">
              {(["graph", "list"] as const).map((one) => (
                <button key={one} aria-pressed={view === one} onClick={() => setView(one)}>
                  {one === "graph" ? "Graph" : "List"}
                </button>
              ))}
            </div>
          </header>
          {view === "graph" ? (
            <Graph standing={outline} subtasks={subtasks} selected={selected?.id} select={select} />
          ) : (
            <SubtaskList
              standing={outline}
              subtasks={subtasks}
              selected={selected?.id}
              select={select}
            />
          )}
        </section>
        <section class="panel" aria-labelledby="timeline-title">
          <header class="panel-head">
            <h2 id="timeline-title">Timeline</h2>
          </header>
          {isDrawn ? <Timeline outline={outline} selected={selected?.id} select={select} /> : null}
        </section>
      </div>
      {selected === undefined ? null : (
        <SubtaskPanel key={selected.id} outline={outline} subtask={selected} />
      )}
    </div>
  );
}

/** True from the second render on: two large parts are not drawn at once. */
function useLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true));
    return () => clearTimeout(timer);
  }, []);
  return isLater;
}

const TELLING: readonly OutlinedSubtask["phase"][] = ["asking", "stuck", "running", "waiting"];

/** What the user most likely came for. */
const mostTelling = (subtasks: readonly OutlinedSubtask[]): OutlinedSubtask | undefined =>
  TELLING.map((phase) => subtasks.find((one) => one.phase === phase)).find(Boolean) ??
  subtasks.find(({ story }) => story !== "") ??
  subtasks[0];
