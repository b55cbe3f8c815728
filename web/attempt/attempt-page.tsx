/** One attempt: what its agent did and said, what its checks found, what it changed, its prompt, and the decisions. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { OutlinedAttempt, RunOutline } from "../api/operations.ts";
import { useReading } from "../api/reading.ts";
import { Icon } from "../parts/icons.tsx";
import { Empty, Failed, failureOf, Loading } from "../parts/states.tsx";
import { attemptLook, beganWith } from "../run/attempt-words.ts";
import { Decisions } from "../run/subtask-panel.tsx";
import { useKeys } from "../shell/keyboard.ts";
import { fragment, go, runPath } from "../shell/route.ts";
import { Took } from "../parts/times.tsx";
import { Changes } from "./changes.tsx";
import { Checks } from "./checks.tsx";
import { Evidence } from "./evidence.tsx";
import { Prompt } from "./prompt.tsx";
import { Transcript } from "./transcript.tsx";

interface Props {
  readonly run: string;
  readonly subtask: string;
  readonly attempt: number;
}

const TABS = ["transcript", "checks", "changes", "evidence", "prompt", "decisions"] as const;
type Tab = (typeof TABS)[number];
const TAB_WORDS: { readonly [tab in Tab]: string } = {
  transcript: "Transcript",
  checks: "Checks",
  changes: "Changes",
  evidence: "Evidence",
  prompt: "Prompt",
  decisions: "Decisions",
};

export function AttemptPage({ run, subtask, attempt }: Props) {
  const outline = useReading("outline", { run }, [`run ${run}`]);
  const tab = TABS.find((one) => one === fragment.value) ?? "transcript";
  const at = `${subtask}/${attempt}`;
  const attempts = outline.value.value?.subtasks.find(({ id }) => id === subtask)?.attempts ?? [];
  const last = attempts.length === 0 ? undefined : attempts.length;
  const own = attempts.find((one) => one.attempt === attempt);
  const began = (one: OutlinedAttempt): string | undefined =>
    beganWith(outline.value.value ?? { questions: [] }, { id: subtask, attempts }, one);
  // How its transcript is read depends on whether it is still running.
  const isKnown = outline.value.value !== undefined;
  const isGoingOn =
    outline.value.value?.stopped === false &&
    own !== undefined &&
    !own.succeeded &&
    own.failure === undefined;
  const show = (one: Tab): void => go(`${runPath(run, subtask, attempt)}#${one}`, "replace");
  const step = (by: number) => (): void => {
    const next = attempt + by;
    if (next >= 1 && next <= (last ?? attempt)) go(`${runPath(run, subtask, next)}#${tab}`);
  };
  const turn = (by: number) => (): void =>
    show(TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length] ?? "transcript");
  useKeys({
    "[": step(-1),
    "]": step(1),
    j: turn(1),
    k: turn(-1),
    Escape: () => go(runPath(run, subtask)),
  });
  const problem = failureOf([outline.value]);
  if (problem !== undefined)
    return (
      <div class="page attempt">
        <Crumbs run={run} subtask={subtask} />
        <Title {...{ subtask, attempt }} />
        <Failed problem={problem} />
      </div>
    );
  return (
    <div class="page attempt">
      <Crumbs run={run} subtask={subtask} />
      {outline.value.value === undefined ? (
        <header class="attempt-head">
          <Title {...{ subtask, attempt }} />
          <Loading rows={1} />
        </header>
      ) : (
        <Head outline={outline.value.value} {...{ subtask, attempt }} />
      )}
      <Tabs tab={tab} show={show} />
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
        {tab !== "transcript" ? null : isKnown ? (
          <Transcript run={run} at={at} running={isGoingOn} />
        ) : (
          <Loading />
        )}
        {tab === "checks" ? <Checks run={run} at={at} /> : null}
        {tab === "changes" ? (
          <Changes {...{ run, subtask, attempt }} attempts={last ?? attempt} />
        ) : null}
        {tab === "evidence" ? <Evidence {...{ run, subtask, attempt }} /> : null}
        {tab === "prompt" ? <Prompt {...{ run, at, attempts, began }} /> : null}
        {tab === "decisions" ? <Decisions run={run} subtask={subtask} /> : null}
      </div>
    </div>
  );
}

const Crumbs = ({ run, subtask }: Pick<Props, "run" | "subtask">) => (
  <nav class="crumbs" aria-label="Where this is">
    <a href="/">Runs</a> <span aria-hidden="true">/</span> <a href={runPath(run)}>{run}</a>{" "}
    <span aria-hidden="true">/</span> <a href={runPath(run, subtask)}>{subtask}</a>
  </nav>
);

interface TitleProps extends Pick<Props, "subtask" | "attempt"> {
  readonly children?: ComponentChildren;
}

const Title = ({ subtask, attempt, children }: TitleProps) => (
  <div class="page-head">
    <h1>
      {subtask} <span class="dim">attempt {attempt}</span>
    </h1>
    {children}
  </div>
);

/** Scrolls sideways only, so that the vertical position stays. */
function centre(list: HTMLElement, chosen: HTMLElement): void {
  const [around, own] = [list.getBoundingClientRect(), chosen.getBoundingClientRect()];
  list.scrollLeft += own.left + own.width / 2 - (around.left + around.width / 2);
}

interface TabsProps {
  readonly tab: Tab;
  readonly show: (tab: Tab) => void;
}

function Tabs({ tab, show }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>(`#tab-${tab}`);
    // A key may have switched tabs while another tab had the focus.
    if (list.current?.contains(document.activeElement) === true) chosen?.focus();
    const bringIntoSight = (): void => {
      if (list.current !== null && chosen !== null && chosen !== undefined)
        centre(list.current, chosen);
    };
    bringIntoSight();
    // Rotating a phone changes the available width.
    addEventListener("resize", bringIntoSight);
    return () => removeEventListener("resize", bringIntoSight);
  }, [tab]);
  const move = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = TABS[TABS.indexOf(tab) + by];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    show(next);
  };
  return (
    <div class="segments tabs" role="tablist" ref={list} onKeyDown={move}>
      {TABS.map((one) => (
        <button
          key={one}
          id={`tab-${one}`}
          role="tab"
          aria-selected={one === tab}
          aria-controls="tab-panel"
          tabIndex={one === tab ? 0 : -1}
          onClick={() => show(one)}
        >
          {TAB_WORDS[one]}
        </button>
      ))}
    </div>
  );
}

interface HeadProps {
  readonly outline: RunOutline;
  readonly subtask: string;
  readonly attempt: number;
}

function Head({ outline, subtask, attempt }: HeadProps) {
  const { run, subtasks } = outline;
  const attempts = subtasks.find(({ id }) => id === subtask)?.attempts ?? [];
  const lookOf = (one: OutlinedAttempt) => attemptLook({ attempts }, one, outline);
  const own = attempts.find((one) => one.attempt === attempt);
  if (own === undefined)
    return (
      <Empty title={`There is no attempt ${attempt} of ${subtask}`}>
        <a href={runPath(run)}>See the run</a>
      </Empty>
    );
  const { tone, icon, words } = lookOf(own);
  const { model, agent = "by hand", startedAt, endedAt, failure } = own;
  return (
    <header class="attempt-head">
      <Title {...{ subtask, attempt }}>
        <nav class="attempt-others" aria-label="Attempts">
          {attempts.map((one) => (
            <a
              key={one.attempt}
              class="attempt-other"
              href={runPath(run, subtask, one.attempt)}
              data-tone={lookOf(one).tone}
              aria-current={one.attempt === attempt ? "page" : undefined}
              aria-label={`Attempt ${one.attempt}: ${lookOf(one).words}`}
            >
              <Icon name={lookOf(one).icon} />
              {one.attempt}
            </a>
          ))}
        </nav>
      </Title>
      <p class="attempt-facts">
        <span class="state" data-tone={tone}>
          <Icon name={icon} tone={tone} />
          <span>{words}</span>
        </span>
        <span>{beganWith(outline, { id: subtask, attempts }, own) ?? "first attempt"}</span>
        <span class="dim">{model ?? agent}</span>
        {startedAt === undefined ? null : (
          <span class="dim">
            <Took from={startedAt} to={endedAt} />
          </span>
        )}
      </p>
      {failure === undefined ? null : (
        <p class="notice" data-tone="failed">
          {failure.words}
        </p>
      )}
    </header>
  );
}
