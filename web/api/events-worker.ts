/** Holds the event stream for all tabs of a browser, so that the tabs do not use up its few connections. */
import { openStream, type StreamNews } from "./event-stream.ts";

const ports = new Set<MessagePort>();
/** Undefined until the stream opens or fails: a tab opened before that is connecting, not disconnected. */
let last: StreamNews | undefined;

const stream = openStream((news) => {
  if (news.kind !== "event") last = news;
  for (const port of ports) port.postMessage(news);
});

const scope = globalThis as unknown as {
  onconnect: (event: { readonly ports: readonly MessagePort[] }) => void;
};
scope.onconnect = ({ ports: [port] }) => {
  if (port === undefined) return;
  ports.add(port);
  port.onmessage = ({ data }: MessageEvent<"again" | "bye">) => {
    if (data === "bye") ports.delete(port);
    else stream.again();
  };
  if (last !== undefined) port.postMessage(last);
};
