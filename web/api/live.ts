/**
 * Tells this tab what changed. All tabs share one stream: through a worker, or, without workers, through the tab that
 * holds a lock and passes everything on. Subjects are `inbox` and `run <id>`.
 */
import { signal } from "@preact/signals";
import { openStream, type StreamNews } from "./event-stream.ts";
import type { ListedRun } from "./operations.ts";

/** `lost`: it was open before, so what is shown may be old. */
export const connection = signal<"opening" | "open" | "lost">("opening");

type Listener = (subjects: ReadonlySet<string>) => void;
const listeners = new Set<Listener>();
let openAgain = (): void => undefined;

export const onChanged = (listener: Listener): void => void listeners.add(listener);

/** After signing in: refused requests are retried at once. */
export const reconnect = (): void => openAgain();

export function startLive(): void {
  if (typeof SharedWorker === "function") shareByWorker();
  else shareByLock();
}

function shareByWorker(): void {
  const worker = new SharedWorker("/events-worker.js", { type: "module", name: "unstuck" });
  worker.port.onmessage = ({ data }: MessageEvent<StreamNews>) => hear(data);
  worker.port.start();
  openAgain = () => worker.port.postMessage("again");
  addEventListener("pagehide", ({ persisted }) => {
    if (!persisted) worker.port.postMessage("bye");
  });
}

function shareByLock(): void {
  const channel = new BroadcastChannel("unstuck");
  let last: StreamNews | undefined;
  // A tab that is opened later asks whether the stream is open; the tab that holds it answers.
  channel.onmessage = ({ data }: MessageEvent<StreamNews | "asks">) => {
    if (data !== "asks") hear(data);
    else if (last !== undefined) channel.postMessage(last);
  };
  channel.postMessage("asks");
  void navigator.locks.request("unstuck-events", () => {
    const stream = openStream((news) => {
      if (news.kind !== "event") last = news;
      hear(news);
      channel.postMessage(news);
    });
    openAgain = () => stream.again();
    return new Promise<never>(() => undefined);
  });
}

function hear(news: StreamNews): void {
  if (news.kind === "event") tell(subjectsOf(news.name, news.data));
  else {
    const wasLost = connection.value === "lost";
    connection.value = news.kind === "open" ? "open" : "lost";
    // What was missed is unknown, so everything is read again.
    if (news.kind === "open" && wasLost) tell(new Set(["everything"]));
  }
}

function tell(subjects: ReadonlySet<string>): void {
  for (const listener of listeners) listener(subjects);
}

/** A change of the list: current rows, and removed runs. */
export interface ListNews {
  readonly runs: readonly ListedRun[];
  readonly removed: readonly string[];
}

const listListeners = new Set<(news: ListNews) => void>();

/** The list of runs may be long, so changes are merged into it instead of reading it again. */
export const onListNews = (listener: (news: ListNews) => void): void =>
  void listListeners.add(listener);

function subjectsOf(name: string, text: string): ReadonlySet<string> {
  if (name === "inbox") return new Set(["inbox"]);
  const news = JSON.parse(text) as ListNews;
  for (const listener of listListeners) listener(news);
  const subjects = new Set(news.runs.map(({ id }) => `run ${id}`));
  if (news.runs.some(({ questions }) => questions > 0)) subjects.add("inbox");
  return subjects;
}
