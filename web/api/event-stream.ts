/**
 * The one stream of events that a browser holds, and what is told of it. It comes back by itself: the browser repeats
 * the id of the last event, and where it gave up (the server was away, or nobody was signed in) it is opened anew.
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
