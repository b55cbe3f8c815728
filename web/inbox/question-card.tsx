/** A question: what happened, the evidence, what happens without an answer, and the answers with a key each. */
import { useRef, useState } from "preact/hooks";
import { count } from "../../src/core/amounts.ts";
import { change, problemOf, type Problem } from "../api/client.ts";
import type { Changes, InboxQuestion } from "../api/operations.ts";
import { readAgain, useReading } from "../api/reading.ts";
import { Command } from "../parts/command.tsx";
import { Icon } from "../parts/icons.tsx";
import { Ago, agoText, exact, now } from "../parts/times.tsx";
import { repositoryName } from "../runs/run-filter.ts";
import { useKeys } from "../shell/keyboard.ts";
import { runPath } from "../shell/route.ts";
import { AnswerForm, needsForm } from "./answer-form.tsx";

type Answer = Changes["answer"]["input"]["answer"];
type Choice = InboxQuestion["words"]["choices"][number];

interface Props {
  readonly id: string;
  readonly question: InboxQuestion;
  readonly isMarked: boolean;
  readonly mark: () => void;
}

export function QuestionCard({ id, question, isMarked, mark }: Props) {
  const { words, evidence, context, run, subtask, also, repository, askedAt, given } = question;
  const choices = offered(question);
  const [open, setOpen] = useState<Choice>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [done, setDone] = useState<Changes["answer"]["output"]>();
  const card = useRef<HTMLElement>(null);
  const give = (answer: Answer): void => {
    setBusy(true);
    change("answer", { run, question: question.id, answer }).then(
      (output) => {
        setBusy(false);
        setProblem(undefined);
        setOpen(undefined);
        setDone(output);
        readAgain();
      },
      (error: unknown) => {
        setBusy(false);
        setProblem(problemOf(error));
      },
    );
  };
  const choose = (choice: Choice): void => {
    mark();
    if (needsForm(question, choice.answer)) setOpen(choice);
    else give(plainAnswer(question, choice.answer));
  };
  return (
    <article
      id={id}
      ref={card}
      class="question panel"
      data-marked={isMarked ? "" : undefined}
      data-open={given === undefined ? "" : undefined}
      aria-label={words.happened}
    >
      {isMarked && given === undefined && open === undefined ? (
        <ChoiceKeys choices={choices} choose={choose} />
      ) : null}
      <header>
        <p class="question-place dim">
          <a href={runPath(run, subtask)}>{subtask ?? "the whole run"}</a>
          {also === undefined || also.length === 0 ? null : <span>also {also.join(", ")}</span>}
          <span>{repositoryName(repository)}</span>
          {askedAt === undefined ? null : <Ago at={askedAt} />}
          {context.blocksCount === 0 ? null : (
            <span>{count(context.blocksCount, "subtask waits", "subtasks wait")} for it</span>
          )}
        </p>
        <h3 class="question-happened">{words.happened}</h3>
      </header>
      {(context.questions ?? []).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {evidence.lines.length === 0 ? null : <pre class="lines">{evidence.lines.join("\n")}</pre>}
      {context.refused === undefined ? null : (
        <pre class="lines">{context.refused.map(({ command }) => command).join("\n")}</pre>
      )}
      {context.advice === undefined ? null : <p>{context.advice}</p>}
      <Otherwise question={question} />
      {problem === undefined ? null : (
        <p class="notice" data-tone="failed" role="alert">
          {problem.message}
        </p>
      )}
      {question.takenBy === undefined || given !== undefined ? null : (
        <TakenOver question={question} folder={done?.folder} />
      )}
      {given !== undefined ? (
        <Given question={question} />
      ) : open !== undefined ? (
        <AnswerForm
          {...{ question, choice: open, busy, give }}
          close={() => {
            setOpen(undefined);
            card.current?.querySelector("button")?.focus();
          }}
        />
      ) : (
        <ul class="choices">
          {choices.map((choice, index) => (
            <li key={choice.answer}>
              <button
                class={choice.recommended ? "primary" : ""}
                disabled={busy}
                onClick={() => choose(choice)}
              >
                {isMarked ? <kbd>{index + 1}</kbd> : null}
                {choice.label}
              </button>
              <span class="dim">{choice.does}</span>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

/** A person who has taken it over will most likely hand it back. */
function offered({ words: { choices }, takenBy }: InboxQuestion): readonly Choice[] {
  const back = choices.find(({ answer }) => answer === "manual");
  if (takenBy === undefined || back === undefined) return choices;
  const others = choices.filter((choice) => choice !== back);
  return [back, ...others].map((choice) => ({ ...choice, recommended: choice === back }));
}

interface TakenProps {
  readonly question: InboxQuestion;
  /** As returned with the answer; otherwise it is looked up. */
  readonly folder: string | undefined;
}

function TakenOver({ question: { run, id, takenBy }, folder }: TakenProps) {
  const { value = [] } = useReading("review", { run }, [`run ${run}`]).value;
  const found = folder ?? value.find(({ checkpoint }) => checkpoint.id === id)?.folder;
  return (
    <div class="taken-over">
      <p>
        {takenBy} has taken it over. Hand it back when its files are right: its checks run then.
      </p>
      {found === undefined ? null : <Command text={`cd ${quoted(found)}`} />}
    </div>
  );
}

/** Quoted for a shell, whatever the folder's name. */
const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

interface KeysProps {
  readonly choices: readonly Choice[];
  readonly choose: (choice: Choice) => void;
}

function ChoiceKeys({ choices, choose }: KeysProps) {
  useKeys(
    Object.fromEntries(
      choices.map((choice, index) => [String(index + 1), () => choose(choice)] as const),
    ),
  );
  return null;
}

/** An answer that needs no further input. */
function plainAnswer({ takenBy }: InboxQuestion, kind: Choice["answer"]): Answer {
  if (kind === "manual") return { kind, done: takenBy !== undefined };
  if (kind === "retry") return { kind, words: "" };
  return kind === "top-up" ? { kind, by: {} } : { kind };
}

function Otherwise({ question: { expiresAt, words } }: { readonly question: InboxQuestion }) {
  if (expiresAt === undefined || words.otherwise === undefined) return null;
  return (
    <p class="question-otherwise" data-tone="waiting" title={exact(expiresAt)}>
      <Icon name="clock" tone="waiting" />
      <span>
        If nobody answers, {words.otherwise} {agoText(expiresAt, now.value)}.
      </span>
    </p>
  );
}

/** Its outcome is shown above, once for all answers of the run. */
const Given = ({ question: { given } }: { readonly question: InboxQuestion }) => (
  <div class="given">
    <p>
      <Icon name="check" tone="good" />
      <span>
        {given?.by} answered: {given?.words}
      </span>
    </p>
  </div>
);
