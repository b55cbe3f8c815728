/**
 * What concerns more than one subtask: incidents, as a lane of their own and as bands behind every row, and questions
 * about the whole run.
 */
import type { RunOutline } from "../api/operations.ts";
import { roundDuration } from "../parts/amounts.tsx";
import { Icon } from "../parts/icons.tsx";
import { span, type Axis } from "./time-axis.ts";

type Asked = RunOutline["questions"][number];
type Incident = RunOutline["incidents"][number];

/** By the subtask that waits for the answer; under "" those about the whole run. */
export function bySubtask(questions: readonly Asked[]): ReadonlyMap<string, readonly Asked[]> {
  const found = new Map<string, Asked[]>();
  for (const question of questions)
    for (const id of new Set([question.subtask ?? "", ...question.also]))
      found.set(id, [...(found.get(id) ?? []), question]);
  return found;
}

interface LanesProps {
  readonly outline: RunOutline;
  readonly axis: Axis;
}

export function Lanes({ outline: { incidents, questions, ended }, axis }: LanesProps) {
  const ofRun = questions.filter(({ subtask }) => subtask === undefined);
  if (incidents.length === 0 && ofRun.length === 0) return null;
  return (
    <ul class="timeline-lanes" aria-label="What concerned more than one subtask">
      {incidents.length === 0 ? null : (
        <li class="timeline-row">
          <span class="timeline-name">Incidents</span>
          <div class="timeline-track">
            {incidents.map((incident, index) => (
              <span
                key={index}
                class="timeline-incident"
                style={span(axis, incident.from, Math.min(incident.until, axis.to))}
                title={incidentText(incident, axis)}
              >
                <Icon name="clock" />
                <span>{sentence(incident.name)}</span>
              </span>
            ))}
          </div>
        </li>
      )}
      {ofRun.length === 0 ? null : (
        <li class="timeline-row">
          <span class="timeline-name">Whole run</span>
          <div class="timeline-track">
            {ofRun.map((question) => (
              <Question key={question.id} {...{ question, axis, ended }} />
            ))}
          </div>
        </li>
      )}
    </ul>
  );
}

const NAMED = 3;

/** "Rate limited for 4s: limit and 2 more waited" */
function incidentText({ name, from, until, subtasks }: Incident, { to }: Axis): string {
  const more = subtasks.length - NAMED;
  const who = subtasks.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  if (until > to)
    return `${sentence(name)} so far: ${who} ${subtasks.length === 1 ? "waits" : "wait"}`;
  return `${sentence(name)} for ${roundDuration(until - from)}: ${who} waited`;
}

interface BandsProps {
  readonly incidents: readonly Incident[];
  readonly axis: Axis;
}

export const Bands = ({ incidents, axis }: BandsProps) => (
  <div class="timeline-bands" aria-hidden="true">
    {incidents.map(({ from, until }, index) => (
      <span key={index} style={span(axis, from, Math.min(until, axis.to))} />
    ))}
  </div>
);

/** In words, for users who cannot hover over them. */
export const IncidentWords = ({ incidents, axis }: BandsProps) =>
  incidents.length === 0 ? null : (
    <ul class="timeline-notes dim">
      {incidents.slice(-NOTES).map((incident, index) => (
        <li key={index}>{incidentText(incident, axis)}</li>
      ))}
    </ul>
  );

const NOTES = 3;

interface QuestionProps {
  readonly question: Asked;
  /** The run has ended: no answer is needed any more. */
  readonly ended: boolean;
  readonly axis: Axis;
}

export function Question({
  question: { askedAt, closedAt, question, answer },
  axis,
  ended,
}: QuestionProps) {
  const { left, width } = span(axis, askedAt, closedAt ?? axis.to);
  const words = answer === undefined ? question : `${question} ${answer}`;
  return (
    <span
      class="timeline-question"
      data-tone={closedAt === undefined && !ended ? "needs" : "still"}
      style={{ left, width }}
      title={words}
    >
      <Icon name="question" />
      <span class="hidden">{words}</span>
    </span>
  );
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
