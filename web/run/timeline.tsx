/**
 * All attempts on one time axis, with the waits between them, the questions that were asked, and what delayed all
 * subtasks.
 */
import { useMemo, useRef } from "preact/hooks";
import { duration } from "../../src/core/amounts.ts";
import type { OutlinedAttempt, OutlinedSubtask, RunOutline } from "../api/operations.ts";
import { Icon } from "../parts/icons.tsx";
import { useVisibleRows } from "../parts/visible-part.ts";
import { exact, now } from "../parts/times.tsx";
import { runPath } from "../shell/route.ts";
import { attemptLook } from "./attempt-words.ts";
import { percent, placeOn, span, timeMarks, type Axis } from "./time-axis.ts";
import { Bands, bySubtask, IncidentWords, Lanes, Question } from "./timeline-lanes.tsx";

interface Props {
  readonly outline: RunOutline;
  readonly selected: string | undefined;
  readonly select: (id: string) => void;
}

/** As in the stylesheet. */
const ROW = 28;
/** From this position on a mark's text is placed before it. */
const LAST_FROM = 0.93;

export function Timeline({ outline, selected, select }: Props) {
  const { startedAt, at, stopped, ended, subtasks } = outline;
  const box = useRef<HTMLDivElement>(null);
  const begun = useMemo(() => {
    const first = (one: OutlinedSubtask): number => one.attempts[0]?.startedAt ?? at;
    const some = subtasks.filter(({ attempts }) => attempts.length > 0);
    return some.toSorted((a, b) => first(a) - first(b));
  }, [outline]);
  const asked = useMemo(() => bySubtask(outline.questions), [outline]);
  const { first, last, padding } = useVisibleRows(box, ROW, begun.length);
  if (startedAt === undefined || begun.length === 0)
    return <p class="dim timeline-none">No attempt has started yet.</p>;
  const axis: Axis = { from: startedAt, to: Math.max(stopped ? at : now.value, startedAt + 1000) };
  return (
    <div class="timeline" role="group" aria-label="Attempts over time" ref={box}>
      <div class="timeline-top">
        <div class="timeline-axis" aria-hidden="true">
          {timeMarks(axis).map((mark) => (
            <span
              key={mark.at}
              style={{ left: percent(placeOn(axis, mark.at)) }}
              data-last={placeOn(axis, mark.at) > LAST_FROM ? "" : undefined}
              title={exact(mark.at)}
            >
              {mark.words}
            </span>
          ))}
        </div>
        <Lanes outline={outline} axis={axis} />
      </div>
      <div class="timeline-ground">
        <Bands incidents={outline.incidents} axis={axis} />
        <ul style={padding}>
          {begun.slice(first, last).map((subtask) => (
            <li
              key={subtask.id}
              class="timeline-row"
              data-on={subtask.id === selected ? "" : undefined}
            >
              <button class="timeline-name" title={subtask.id} onClick={() => select(subtask.id)}>
                {subtask.id}
              </button>
              <div class="timeline-track">
                {subtask.waits.map(({ from, until, reason }) => (
                  <span
                    key={from}
                    class="timeline-wait"
                    style={span(axis, from, Math.min(until, axis.to))}
                    title={`Waited ${duration(until - from)}: ${reason}`}
                  />
                ))}
                {subtask.attempts.map((attempt) => (
                  <Bar key={attempt.attempt} {...{ outline, axis, subtask, attempt }} />
                ))}
                {(asked.get(subtask.id) ?? []).map((question) => (
                  <Question key={question.id} {...{ question, axis, ended }} />
                ))}
              </div>
            </li>
          ))}
        </ul>
      </div>
      <IncidentWords incidents={outline.incidents} axis={axis} />
    </div>
  );
}

interface BarProps {
  readonly outline: RunOutline;
  readonly axis: Axis;
  readonly subtask: OutlinedSubtask;
  readonly attempt: OutlinedAttempt;
}

function Bar({ outline, axis, subtask, attempt }: BarProps) {
  const { id } = subtask;
  const { attempt: number, startedAt, endedAt, failure, model } = attempt;
  if (startedAt === undefined) return null;
  const { tone, icon, words } = attemptLook(subtask, attempt, outline);
  const took = duration((endedAt ?? axis.to) - startedAt);
  const label = `${id}, attempt ${number}: ${words}, ${took}`;
  return (
    <a
      class="timeline-bar"
      href={runPath(outline.run, id, number)}
      data-tone={tone}
      style={span(axis, startedAt, endedAt ?? axis.to)}
      aria-label={label}
      title={[label, model, failure?.words].filter(Boolean).join("\n")}
    >
      <Icon name={icon} />
    </a>
  );
}
