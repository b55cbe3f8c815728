/** A decision: what was observed and believed, the options with their likelihood and cost, and why this one. */
import { KIND_WORDS } from "../../src/core/kind-words.ts";
import { RECOVERY_WORDS } from "../../src/core/recovery.ts";
import type { ExplainedDecision } from "../api/operations.ts";
import { MarkedLines } from "../attempt/evidence.tsx";
import { Icon } from "../parts/icons.tsx";

export function DecisionCard({ of, open }: { of: ExplainedDecision; open: boolean }) {
  const { said, decision, seen, evidence = seen, belief = [], others = [], classified } = of;
  const weighed = of.considered.filter(({ success }) => success !== undefined);
  return (
    <details class="decision panel" open={open}>
      <summary>
        <Icon name="next" />
        <span>{said ?? sentence(decision)}</span>
      </summary>
      <div class="decision-body">
        {evidence.length === 0 && classified === undefined ? null : (
          <section>
            <h3>What was seen</h3>
            {classified === undefined || classified.lines.length === 0 ? (
              <pre class="lines">{evidence.join("\n")}</pre>
            ) : (
              <MarkedLines lines={classified.lines} />
            )}
          </section>
        )}
        {belief.length === 0 ? null : (
          <section>
            <h3>What was believed of the cause</h3>
            <ul class="bars">
              {belief.map(({ cause, share }) => (
                <Share key={cause} name={cause} share={share} />
              ))}
            </ul>
          </section>
        )}
        {weighed.length === 0 ? null : (
          <section>
            <h3>Options, with how likely each was to help</h3>
            <ul class="bars">
              {weighed
                .toSorted((a, b) => (b.success ?? 0) - (a.success ?? 0))
                .map(({ rung, recovery, success = 0, cost, verdict }) => (
                  <Share
                    key={rung}
                    name={recoveryName(recovery)}
                    share={success}
                    chosen={verdict.startsWith("chosen")}
                    more={cost === undefined ? "" : `${Number(cost.toFixed(1))} × an attempt`}
                  />
                ))}
            </ul>
          </section>
        )}
        {others.length === 0 ? null : (
          <section>
            <h3>What else could have been done</h3>
            <ul class="others">
              {others.map(({ option, why: reason }) => (
                <li key={option}>
                  <span>{option}:</span> <span class="dim">{reason}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section>
          <h3>Why this one</h3>
          <p>{whyText(of)}</p>
        </section>
      </div>
    </details>
  );
}

interface ShareProps {
  readonly name: string;
  readonly share: number;
  readonly chosen?: boolean;
  readonly more?: string;
}

const Share = ({ name, share, chosen = false, more = "" }: ShareProps) => (
  <li class="bar" data-chosen={chosen ? "" : undefined}>
    <span class="bar-name">
      {name}
      {chosen ? <span class="chosen">chosen</span> : null}
    </span>
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="progress-all" width="100" height="6" rx="1" />
      <rect class="bar-share" width={Math.max(0.5, share * 100)} height="6" rx="1" />
    </svg>
    <span class="bar-number">{Math.round(share * 100)}%</span>
    <span class="bar-more dim">{more}</span>
  </li>
);

const WORDS: Readonly<Record<string, { readonly does: string } | undefined>> = RECOVERY_WORDS;

/** A recovery by its name; several are joined with a plus. */
const recoveryName = (name: string): string =>
  name
    .split(" + ")
    .map((one) => WORDS[one]?.does ?? one)
    .join(" and ");

/** The name of a policy's step means nothing to people; its effect does. */
const STEP =
  /^([^:]{1,80}): \S{1,200}( \(\d{1,4} of \d{1,4}\))? is the first step of the policy that applies/;

const KINDS: Readonly<Record<string, { readonly name: string } | undefined>> = KIND_WORDS;

/** Kinds are named as everywhere else; other causes as they are reported. */
const kindName = (cause: string): string => KINDS[cause.replaceAll(" ", "_")]?.name ?? cause;

/** The reason begins with the policy's name for what chose it; people need only the rest. */
function whyText({ why, considered }: ExplainedDecision): string {
  const chosen = considered.find(({ verdict }) => verdict.startsWith("chosen"));
  const does = chosen === undefined ? "this" : `to ${recoveryName(chosen.recovery)}`;
  const told = (_: string, cause: string, times = ""): string =>
    `${kindName(cause)}: the next step of this policy is ${does}${times}`;
  return sentence(why.replace(/^[\w:-]+: /, "").replace(STEP, told));
}

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
