/** What the checks of an attempt found, for each time they ran: the verdict, the failures, and the output. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { problemOf } from "../api/client.ts";
import { readLog } from "../api/log-stream.ts";
import type { LogEntry } from "../api/operations.ts";
import type { Reading } from "../api/reading.ts";
import { Icon } from "../parts/icons.tsx";
import { Empty, Read } from "../parts/states.tsx";

type CheckEntry = Extract<LogEntry, { readonly kind: "checks" }>;

export function Checks({ run, at }: { readonly run: string; readonly at: string }) {
  const [reading, setReading] = useState<Reading<readonly CheckEntry[]>>({});
  useEffect(() => {
    readLog({ run, at, tail: 200 }).then(
      (entries) =>
        setReading({ value: entries.flatMap((one) => (one.kind === "checks" ? [one] : [])) }),
      (error: unknown) => setReading({ problem: problemOf(error) }),
    );
  }, [run, at]);
  return (
    <Read reading={reading}>
      {(rounds) =>
        rounds.length === 0 ? (
          <Empty title="Its checks did not run">
            <p class="dim">They run when the agent has ended well.</p>
          </Empty>
        ) : (
          <div class="checks">
            {rounds.map((round, index) => (
              <Round key={index} round={round} />
            ))}
          </div>
        )
      }
    </Read>
  );
}

const VERDICTS = {
  passed: { words: "Passed", icon: "check", tone: "good" },
  failed: { words: "Failed", icon: "cross", tone: "failed" },
  "could-not-run": { words: "Could not run", icon: "broken", tone: "doubt" },
} as const;

function Round({ round: { verdict, headline, checks, failing, text } }: { round: CheckEntry }) {
  const { words, icon, tone } = VERDICTS[verdict];
  return (
    <section class="panel check-round">
      <p class="attempt-facts">
        <span class="state" data-tone={tone}>
          <Icon name={icon} tone={tone} />
          <span>{words}</span>
        </span>
        {checks.map((check) => (
          <code key={check}>{check}</code>
        ))}
      </p>
      {isToldBy(text, headline) ? null : <p>{headline}</p>}
      {failing.length === 0 ? null : (
        <Part title="Failing">
          <ul>
            {failing.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {text === "" ? null : (
        <Part title="What it printed">
          <pre class="lines">{text}</pre>
        </Part>
      )}
    </section>
  );
}

/** All parts of the headline occur in the output. */
const isToldBy = (text: string, headline: string): boolean =>
  headline.split(" | ").every((piece) => text.includes(piece.trim()));

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div>
    <h3>{title}</h3>
    {children}
  </div>
);
