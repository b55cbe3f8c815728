/** The classification of an attempt's failure: the rule in words, and the output with the deciding lines marked. */
import type { ExplainedDecision } from "../api/operations.ts";
import { useReading } from "../api/reading.ts";
import { Empty, Read } from "../parts/states.tsx";

type Classified = NonNullable<ExplainedDecision["classified"]>;

interface Props {
  readonly run: string;
  readonly subtask: string;
  readonly attempt: number;
}

export function Evidence({ run, subtask, attempt }: Props) {
  const explained = useReading("explain", { run, subtask }, [`run ${run}`]);
  return (
    <Read reading={explained.value}>
      {({ decisions }) => {
        const found = decisions.find(({ classified }) => classified?.attempt === attempt);
        return found?.classified === undefined ? (
          <Empty title="No failure is recorded of it">
            <p class="dim">When an attempt fails, what says so stands here.</p>
          </Empty>
        ) : (
          <section class="panel evidence">
            <ClassifiedAs of={found.classified} />
          </section>
        );
      }}
    </Read>
  );
}

export function ClassifiedAs({ of }: { readonly of: Classified }) {
  const { name, happened, where, confidence, counted, lines } = of;
  const deciding = lines.flatMap(({ text, decides }) => (decides ? [text] : []));
  // A reason is not repeated if the marked line below contains it.
  const reasons = of.reasons.filter(({ text }) => !deciding.some((line) => line.includes(text)));
  return (
    <>
      <p class="evidence-verdict">
        <b>{sentence(name)}</b>
        <span>
          The attempt {happened}. This is {Math.round(confidence * 100)}% sure, from what {where}{" "}
          said.{counted ? "" : " It does not count against the agent."}
        </span>
      </p>
      {reasons.length === 0 ? null : (
        <div>
          <h3>Why</h3>
          <ul class="evidence-reasons">
            {reasons.map(({ place, text }, index) => (
              <li key={index}>
                {place === undefined ? null : <span class="dim">{sentence(place)}: </span>}
                {place === undefined ? <span>{text}</span> : <code>{text}</code>}
              </li>
            ))}
          </ul>
        </div>
      )}
      <DecidingLines lines={lines} />
    </>
  );
}

const DecidingLines = ({ lines }: Pick<Classified, "lines">) =>
  lines.length === 0 ? null : (
    <div>
      <h3>What was printed</h3>
      <MarkedLines lines={lines} />
    </div>
  );

export const MarkedLines = ({ lines }: Pick<Classified, "lines">) => (
  <pre class="lines marked-lines" tabIndex={0} role="group" aria-label="What was printed">
    {lines.map(({ text, decides, afterGap }, index) => (
      <span
        key={index}
        class="marked-line"
        data-decides={decides ? "" : undefined}
        data-gap={afterGap === true ? "" : undefined}
        title={decides ? "This line decided" : undefined}
      >
        {decides ? <mark>{text}</mark> : text}
      </span>
    ))}
  </pre>
);

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
