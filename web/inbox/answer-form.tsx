/**
 * What an answer needs besides its kind: words for the agent and the recovery, or the amount by which a budget is
 * raised.
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { RETRY_METHOD_WORDS, type RetryMethod } from "../../src/core/run/retry-method.ts";
import type { Changes, InboxQuestion } from "../api/operations.ts";

type Answer = Changes["answer"]["input"]["answer"];
type Choice = InboxQuestion["words"]["choices"][number];

export const needsForm = (question: InboxQuestion, answer: Choice["answer"]): boolean =>
  answer === "top-up" || (answer === "retry" && !isBare(question));

const isBare = ({ options, trigger }: InboxQuestion): boolean =>
  trigger === "CHECKS" || options.some(({ answer, bare }) => answer === "retry" && bare === true);

interface Props {
  readonly question: InboxQuestion;
  readonly choice: Choice;
  readonly busy: boolean;
  readonly give: (answer: Answer) => void;
  readonly close: () => void;
}

export function AnswerForm({ question, choice, busy, give, close }: Props) {
  const [words, setWords] = useState("");
  const [how, setHow] = useState<RetryMethod>();
  const [amounts, setAmounts] = useState<Readonly<Record<string, string>>>({});
  const first = useRef<HTMLElement>(null);
  // Before the user can type the next key.
  useLayoutEffect(() => first.current?.focus(), []);
  const by = budgetOf(amounts);
  const hasRetry = words.trim() !== "" || how !== undefined;
  const isReady = choice.answer === "top-up" ? Object.keys(by).length > 0 : hasRetry;
  const send = (): void => {
    if (!isReady || busy) return;
    if (choice.answer === "top-up") give({ kind: "top-up", by });
    else give({ kind: "retry", words, ...(how === undefined ? {} : { how }) });
  };
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      {choice.answer === "top-up" ? (
        <div class="amounts">
          {measuresOf(question).map(({ name, label, step }, index) => (
            <label key={name}>
              <span>{label}</span>
              <input
                ref={index === 0 ? (first as preact.RefObject<HTMLInputElement>) : null}
                type="number"
                min="0"
                step={step}
                value={amounts[name] ?? ""}
                onInput={({ currentTarget }) =>
                  setAmounts({ ...amounts, [name]: currentTarget.value })
                }
              />
            </label>
          ))}
        </div>
      ) : (
        <>
          <label>
            <span>
              {question.context.asks === undefined
                ? "What should the next attempt know or do differently?"
                : "Your answer"}
            </span>
            <textarea
              ref={first as preact.RefObject<HTMLTextAreaElement>}
              value={words}
              maxLength={20_000}
              onInput={({ currentTarget }) => setWords(currentTarget.value)}
            />
            <span class="dim">This goes into the prompt word for word.</span>
          </label>
          <Ways ways={question.context.ways ?? []} how={how} choose={setHow} />
        </>
      )}
      <div class="answer-actions">
        <button class="primary" type="submit" disabled={busy || !isReady}>
          {choice.label}
        </button>
        <button type="button" onClick={close}>
          Back
        </button>
        <span class="dim answer-key">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
      </div>
    </form>
  );
}

interface WaysProps {
  readonly ways: readonly RetryMethod[];
  readonly how: RetryMethod | undefined;
  readonly choose: (how: RetryMethod | undefined) => void;
}

/** Lets the user choose among the possible recoveries. */
const Ways = ({ ways, how, choose }: WaysProps) =>
  ways.length === 0 ? null : (
    <fieldset class="ways">
      <legend>What should it do?</legend>
      {[undefined, ...ways].map((way) => (
        <label key={way ?? ""}>
          <input type="radio" name="how" checked={how === way} onChange={() => choose(way)} />
          <span>{way === undefined ? AS_USUAL : sentence(RETRY_METHOD_WORDS[way])}</span>
        </label>
      ))}
    </fieldset>
  );

const AS_USUAL = "Continue from where it got furthest";
const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

interface MeasureField {
  readonly name: string;
  readonly label: string;
  readonly step: string;
}

const FIELDS: readonly (MeasureField & { readonly measure: string; readonly factor: number })[] = [
  { measure: "usd", name: "usd", label: "More dollars", step: "0.01", factor: 1 },
  {
    measure: "timeMs",
    name: "minutes",
    label: "More minutes of agent time",
    step: "1",
    factor: 60_000,
  },
  { measure: "tokens", name: "tokens", label: "More tokens", step: "1000", factor: 1 },
  { measure: "attempts", name: "attempts", label: "More attempts", step: "1", factor: 1 },
];

/** Only raising the exhausted measure helps. */
const measuresOf = ({ context: { measure } }: InboxQuestion): readonly MeasureField[] =>
  FIELDS.filter((field) => measure === undefined || field.measure === measure);

const budgetOf = (amounts: Readonly<Record<string, string>>): Record<string, number> =>
  Object.fromEntries(
    FIELDS.flatMap(({ measure, name, factor }) => {
      const amount = Number(amounts[name]);
      return amount > 0 ? [[measure, amount * factor]] : [];
    }),
  );
