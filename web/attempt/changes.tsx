/** What an attempt changed, compared with where it began or with something else the user chooses. */
import { useState } from "preact/hooks";
import { useReading } from "../api/reading.ts";
import { Empty, Read } from "../parts/states.tsx";
import { readDiff } from "./diff-text.ts";
import { Diff } from "./diff.tsx";

interface Props {
  readonly run: string;
  readonly subtask: string;
  readonly attempt: number;
  /** The number of attempts of the subtask. */
  readonly attempts: number;
}

const AGAINST = [
  ["start", "where it started"],
  ["good", "the last good commit"],
  ["base", "the base of the run"],
] as const;

export function Changes({ run, subtask, attempt, attempts }: Props) {
  const [against, setAgainst] = useState("start");
  const others = Array.from({ length: attempts }, (_, index) => index + 1).filter(
    (number) => number !== attempt,
  );
  return (
    <>
      <label class="against">
        <span class="dim">Compared with</span>
        <select value={against} onInput={({ currentTarget }) => setAgainst(currentTarget.value)}>
          {AGAINST.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
          {others.map((number) => (
            <option key={number} value={`${subtask}/${number}`}>
              what attempt {number} left
            </option>
          ))}
        </select>
      </label>
      <Compared key={against} {...{ run, against }} attempt={`${subtask}/${attempt}`} />
    </>
  );
}

interface ComparedProps {
  readonly run: string;
  readonly attempt: string;
  readonly against: string;
}

function Compared({ run, attempt, against }: ComparedProps) {
  const diff = useReading("diff", { run, attempt, against }, [`run ${run}`]);
  return (
    <Read reading={diff.value}>
      {({ text, cut }) => {
        const files = readDiff(text);
        if (files.length === 0)
          return <Empty title={against === "start" ? "It changed nothing" : "No difference"} />;
        return (
          <>
            <Diff files={files} />
            {cut ? <p class="dim">The rest is left out: it is very long.</p> : null}
          </>
        );
      }}
    </Read>
  );
}
