/**
 * The open questions, grouped by cause. The marked question takes the keys 1 to 9. An answered question stays for a
 * moment with its outcome.
 */
import { useState } from "preact/hooks";
import type { InboxQuestion } from "../api/operations.ts";
import { useReading } from "../api/reading.ts";
import { Empty, Read } from "../parts/states.tsx";
import { useKeys } from "../shell/keyboard.ts";
import { AgentQuestions } from "./agent-questions.tsx";
import { AnswersWaiting } from "./answers-waiting.tsx";
import { QuestionCard } from "./question-card.tsx";

export function InboxPage() {
  const inbox = useReading("inbox", { all: true }, ["inbox"]);
  return (
    <section class="page inbox" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">Inbox</h1>
      </div>
      <AgentQuestions />
      <Read reading={inbox.value} rows={4}>
        {({ questions }) => <Questions questions={questions} />}
      </Read>
    </section>
  );
}

const keyOf = ({ run, id }: InboxQuestion): string => `${run} ${id}`;

function Questions({ questions }: { readonly questions: readonly InboxQuestion[] }) {
  const groups = byCause(questions);
  const shown = groups.flatMap(([, own]) => own);
  const [asked, setAsked] = useState<string>();
  const marked = shown.find((one) => keyOf(one) === asked) ?? shown[0];
  const step = (by: number) => (): void => {
    const next = shown[shown.findIndex((one) => one === marked) + by];
    if (next === undefined) return;
    setAsked(keyOf(next));
    document.getElementById(keyOf(next))?.scrollIntoView({ block: "nearest" });
  };
  useKeys({ j: step(1), k: step(-1) });
  if (shown.length === 0)
    return (
      <Empty title="Nothing waits for you">
        <p class="dim">When a run cannot go on without you, its question shows up here.</p>
        <a href="/">See the runs</a>
      </Empty>
    );
  return (
    <>
      <AnswersWaiting questions={questions} />
      {groups.map(([cause, own]) => (
        <section key={cause} class="cause" aria-label={cause}>
          <h2>
            {cause.slice(0, 1).toUpperCase()}
            {cause.slice(1)}
            {own.length > 1 ? <span class="dim"> {own.length} questions</span> : null}
          </h2>
          {own.map((question) => (
            <QuestionCard
              key={keyOf(question)}
              id={keyOf(question)}
              question={question}
              isMarked={question === marked}
              mark={() => setAsked(keyOf(question))}
            />
          ))}
        </section>
      ))}
    </>
  );
}

/** Questions that one answer may settle are adjacent; the oldest come first. */
function byCause(
  questions: readonly InboxQuestion[],
): readonly (readonly [string, readonly InboxQuestion[]])[] {
  const groups = new Map<string, InboxQuestion[]>();
  for (const question of questions.toSorted((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0))) {
    const { cause } = question.words;
    groups.set(cause, [...(groups.get(cause) ?? []), question]);
  }
  return [...groups];
}
