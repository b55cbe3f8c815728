/**
 * A block of a transcript: drawn when it is near the visible area, otherwise replaced by empty space of its last
 * height. Folded content is drawn when it is opened, and a very long text only in part until the user asks for all of
 * it.
 */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { duration } from "../../src/core/amounts.ts";
import type { LogEntry } from "../api/operations.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { clock, exact } from "../parts/times.tsx";
import type { Piece } from "./pieces.ts";

interface Props {
  readonly first: number;
  readonly pieces: readonly Piece[];
  readonly isDrawn: boolean;
}

const USUAL_HEIGHT = 32;

export function TranscriptBlock({ first, pieces, isDrawn }: Props) {
  const box = useRef<HTMLOListElement>(null);
  const [isNear, setNear] = useState(isDrawn);
  const height = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    return watchNear(current, (is) => {
      if (!is) height.current = current.offsetHeight;
      setNear(is);
    });
  }, []);
  const space = height.current ?? pieces.length * USUAL_HEIGHT;
  return (
    <ol class="entries" start={first + 1} ref={box} style={isNear ? {} : { height: `${space}px` }}>
      {isNear
        ? pieces.map((piece, index) => (
            <li key={index} class="entry" data-kind={piece.entry.kind}>
              <Entry piece={piece} />
            </li>
          ))
        : null}
    </ol>
  );
}

const NEAR = "1200px 0px";
const watched = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | undefined;

function watchNear(element: Element, tell: (isNear: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) watched.get(target)?.(isIntersecting);
    },
    { rootMargin: NEAR },
  );
  watched.set(element, tell);
  observer.observe(element);
  return () => observer?.unobserve(element);
}

const ICONS: { readonly [kind in LogEntry["kind"]]?: IconName } = {
  message: "words",
  thinking: "thought",
  "tool-call": "tool",
  "file-change": "file",
  error: "cross",
  checks: "check",
};

function Entry({ piece: { entry, result } }: { readonly piece: Piece }) {
  const icon = entry.kind === "checks" && entry.verdict !== "passed" ? "cross" : ICONS[entry.kind];
  const tone =
    entry.kind === "error" || (entry.kind === "checks" && entry.verdict !== "passed")
      ? "failed"
      : entry.kind === "checks"
        ? "good"
        : undefined;
  return (
    <>
      <span class="entry-time dim" title={entry.at === undefined ? "" : exact(entry.at)}>
        {entry.at === undefined ? "" : clock(entry.at)}
      </span>
      {icon === undefined ? <span /> : <Icon name={icon} {...(tone ? { tone } : {})} />}
      <div class="entry-body">
        <Body entry={entry} result={result} />
      </div>
    </>
  );
}

function Body({ entry, result }: { readonly entry: LogEntry; readonly result: Piece["result"] }) {
  switch (entry.kind) {
    case "tool-call":
    case "file-change":
      return (
        <Folded texts={[entry.input, ...(result === undefined ? [] : [result.text])]}>
          <b>{entry.tool}</b> <code>{entry.title}</code>
          {result?.failed === true ? <span class="entry-failed">failed</span> : null}
          {result?.tookMs === undefined || result.tookMs < 1000 ? null : (
            <span class="dim">{duration(result.tookMs)}</span>
          )}
        </Folded>
      );
    case "tool-result":
      return (
        <Folded texts={[entry.text]}>
          <b>{entry.tool ?? "Result"}</b> <span class="dim">{entry.lines} lines</span>
        </Folded>
      );
    case "attempt-started":
      return (
        <p class="dim">
          Started with {entry.agent}
          {entry.model === undefined ? "" : `, ${entry.model}`}
        </p>
      );
    case "attempt-ended":
      return (
        <p class="dim">
          Ended{entry.tookMs === undefined ? "" : ` after ${duration(entry.tookMs)}`}
          {entry.failure === undefined ? "" : `: ${entry.failure}`}
        </p>
      );
    case "checks":
      return (
        <>
          <p>
            {entry.headline || (entry.verdict === "passed" ? "Checks passed" : "Checks failed")}
          </p>
          {entry.text === "" ? null : <Long class="lines" text={entry.text} />}
        </>
      );
    case "output":
      return <Long class="printed" text={entry.text} />;
    case "thinking":
      return <Long class="entry-text dim" text={entry.text} />;
    default:
      return <Long class="entry-text" text={entry.text} />;
  }
}

interface FoldedProps {
  readonly texts: readonly string[];
  readonly children: ComponentChildren;
}

function Folded({ texts, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Icon name="next" />
        {children}
      </summary>
      {isOpen ? texts.map((text, index) => <Long key={index} class="lines" text={text} />) : null}
    </details>
  );
}

const SHOWN_CHARS = 20_000;

/** Messages are paragraphs, printed output keeps its layout. */
function Long({ class: looks, text }: { readonly class: string; readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = text.length > SHOWN_CHARS && !isWhole;
  const shown = isCut ? text.slice(0, SHOWN_CHARS) : text;
  return (
    <>
      {looks.startsWith("entry-text") ? (
        <p class={looks}>{shown}</p>
      ) : (
        <pre class={looks}>{shown}</pre>
      )}
      {isCut ? (
        <button class="entry-more" onClick={() => setWhole(true)}>
          Show all {Math.ceil(text.length / 1000)} kB
        </button>
      ) : null}
    </>
  );
}
