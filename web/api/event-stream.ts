/**
 * The browser's single event stream, and its state. It reconnects by itself: the browser repeats the id of the last
 * event, and if it gave up (the server was away, or the user was not signed in) the stream is opened again.
 */
export type StreamNews =
  | { readonly kind: "event"; readonly name: string; readonly data: string }
  | { readonly kind: "open" }
  | { readonly kind: "lost" };

const EVENTS = ["runs", "inbox"] as const;
const AGAIN_MS = 3000;

export function openStream(tell: (news: StreamNews) => void): { again(): void } {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    clearTimeout(timer);
    source = new EventSource("/api/events");
    source.onopen = () => tell({ kind: "open" });
    source.onerror = () => {
      tell({ kind: "lost" });
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS);
    };
    for (const name of EVENTS)
      source.addEventListener(name, ({ data }: MessageEvent<string>) =>
        tell({ kind: "event", name, data }),
      );
  };
  open();
  return {
    again() {
      source.close();
      open();
    },
  };
}
