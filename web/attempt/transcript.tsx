/**
 * What an agent did, as recorded: its messages, and its tool calls folded to one line each with their result. Grows
 * while the attempt runs; a long one shows its end first. Invariant: of a long one only the visible part is drawn.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { problemOf, type Problem } from "../api/client.ts";
import { connection } from "../api/live.ts";
import { streamLog } from "../api/log-stream.ts";
import { Icon } from "../parts/icons.tsx";
import { Empty, Failed, Loading } from "../parts/states.tsx";
import { pieceCollector, type Piece } from "./pieces.ts";
import { TranscriptBlock } from "./transcript-block.tsx";

interface Props {
  readonly run: string;
  readonly at: string;
  readonly running: boolean;
}

const TAIL = 1500;
const BLOCK = 50;
/** Entries that arrive within this time are drawn together. */
const DRAW_MS = 100;

interface Told {
  readonly pieces: readonly Piece[];
  readonly count: number;
}

export function Transcript({ run, at, running }: Props) {
  const [all, setAll] = useState(false);
  const { told, problem } = useTranscript(run, at, running, all);
  if (told === undefined) return problem === undefined ? <Loading /> : <Failed problem={problem} />;
  if (told.pieces.length === 0) return <Empty title="Nothing is recorded of it yet" />;
  return (
    <div class="transcript" role="group" aria-label="Transcript">
      {told.count >= TAIL && !all ? (
        <button onClick={() => setAll(true)}>Show it from its beginning</button>
      ) : null}
      <Blocks pieces={told.pieces} running={running} />
      {running ? (
        <p class="state" data-tone="running" role="status">
          <Icon name="play" tone="running" />
          <span>Running</span>
        </p>
      ) : null}
    </div>
  );
}

/** A hidden page keeps no stream open: a browser has few connections for all its tabs. */
function usePageVisible(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    const look = (): void => setSeen(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return isSeen;
}

function useTranscript(run: string, at: string, running: boolean, all: boolean) {
  const [told, setTold] = useState<Told>();
  const [problem, setProblem] = useState<Problem>();
  const isSeen = usePageVisible();
  const follow = running && isSeen;
  const isConnected = connection.value !== "lost";
  useEffect(() => {
    const ending = new AbortController();
    const collected = pieceCollector();
    let count = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer = undefined;
      if (ending.signal.aborted) return;
      setProblem(undefined);
      setTold({ pieces: collected.pieces, count });
    };
    const asked = { run, at, ...(all ? {} : { tail: TAIL }), ...(follow ? { follow } : {}) };
    streamLog(
      asked,
      (entries) => {
        collected.add(entries);
        count += entries.length;
        timer ??= setTimeout(draw, DRAW_MS);
      },
      ending.signal,
    ).then(draw, (error: unknown) => {
      if (!ending.signal.aborted) setProblem(problemOf(error));
    });
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [run, at, all, follow, isConnected]);
  return { told, problem };
}

interface BlocksProps {
  readonly pieces: readonly Piece[];
  readonly running: boolean;
}

function Blocks({ pieces, running }: BlocksProps) {
  const end = useRef<HTMLDivElement>(null);
  const wasAtEnd = useRef(false);
  // A reader at the end stays at the end; one who scrolled up is not moved.
  const from = document.documentElement;
  wasAtEnd.current = from.scrollHeight - from.scrollTop - innerHeight < 80;
  useLayoutEffect(() => {
    if (running && wasAtEnd.current) end.current?.scrollIntoView({ block: "end" });
  });
  const blocks = Math.ceil(pieces.length / BLOCK);
  return (
    <>
      {Array.from({ length: blocks }, (_, index) => (
        <TranscriptBlock
          key={index}
          first={index * BLOCK}
          pieces={pieces.slice(index * BLOCK, (index + 1) * BLOCK)}
          isDrawn={index === 0}
        />
      ))}
      <div ref={end} />
    </>
  );
}
