/** Questions that agents themselves ask a person, in runs or outside of them. */
import { useState } from "preact/hooks";
import { change, problemOf, type Problem } from "../api/client.ts";
import type { Reads } from "../api/operations.ts";
import { readAgain, useReading } from "../api/reading.ts";
import { Ago } from "../parts/times.tsx";

type Question = Reads["agent-questions"]["output"][number];

export function AgentQuestions() {
  const { value = [] } = useReading("agent-questions", {}, ["inbox"]).value;
  if (value.length === 0) return null;
  return (
    <section class="cause" aria-label="Agents ask">
      <h2>Agents ask</h2>
      {value.map((question) => (
        <AgentQuestion key={question.id} question={question} />
      ))}
    </section>
  );
}

function AgentQuestion({
  question: { id, question, options, askedAt, cwd },
}: {
  question: Question;
}) {
  const [words, setWords] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const answer = (text: string): void =>
    void change("answer-agent", { id, words: text }).then(readAgain, (error: unknown) =>
      setProblem(problemOf(error)),
    );
  return (
    <article class="question panel">
      <header>
        <p class="question-place dim">
          <span>{cwd}</span>
          <Ago at={Date.parse(askedAt)} />
        </p>
        <h3 class="question-happened">{question}</h3>
      </header>
      <ul class="choices">
        {options.map((option) => (
          <li key={option}>
            <button onClick={() => answer(option)}>{option}</button>
          </li>
        ))}
      </ul>
      {problem === undefined ? null : (
        <p class="notice" data-tone="failed" role="alert">
          {problem.message}
        </p>
      )}
      <form
        class="answer"
        onSubmit={(event) => {
          event.preventDefault();
          if (words.trim() !== "") answer(words);
        }}
      >
        <label>
          <span>In your own words</span>
          <textarea value={words} onInput={({ currentTarget }) => setWords(currentTarget.value)} />
        </label>
        <div class="answer-actions">
          <button class="primary" type="submit" disabled={words.trim() === ""}>
            Answer
          </button>
        </div>
      </form>
    </article>
  );
}
