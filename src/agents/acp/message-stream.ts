/**
 * The message stream between the glue and the SDK's connection. Agents deviate in small things that the SDK takes
 * as an offence or writes to the terminal: here a message is put into the form it must have, and what the
 * connection has no use for (notifications, answers nobody waits for) is left out; the report reads those.
 * Invariants: whatever comes in, only well-formed messages go on; never throws; what waits and what is answered is
 * bounded.
 */
import type { Stream } from "@agentclientprotocol/sdk";
import { fieldsOf, textOf } from "../output/json.ts";
import type { Fields } from "../output/json.ts";

type Message = Stream["readable"] extends ReadableStream<infer M> ? M : never;

export interface MessageStream {
  /** The side of the connection. */
  readonly stream: Stream;
  /** One line of the agent. */
  take(line: Fields): void;
  close(): void;
}

const MAX_WAITING = 1000;
/** An agent that asks more often is not asking. */
const MAX_SERVED = 100_000;
const MAX_ID = 1000;

/** `nameOf`: the id a request goes out with; the reader of the agent's lines knows them by it. */
export function createMessageStream(
  say: (message: unknown) => void,
  nameOf: (method: string, id: unknown) => string | number,
): MessageStream {
  const asked = new Map<string, unknown>();
  let inlet: ReadableStreamDefaultController<Message> | undefined;
  let served = 0;
  const give = (message: unknown): void => inlet?.enqueue(message as Message);

  const serve = (id: string | number, method: string, params: unknown): void => {
    served += 1;
    if (served > MAX_SERVED || (inlet?.desiredSize ?? 0) <= 0) return;
    give({ jsonrpc: "2.0", id, method, params });
  };
  const answered = (line: Fields): void => {
    const name = String(idOf(line["id"]));
    if (!asked.has(name)) return;
    const id = asked.get(name);
    asked.delete(name);
    give({ jsonrpc: "2.0", id, ...outcomeOf(line) });
  };

  return {
    stream: {
      readable: new ReadableStream<Message>(
        {
          start: (controller) => void (inlet = controller),
          cancel: () => void (inlet = undefined),
        },
        { highWaterMark: MAX_WAITING },
      ),
      writable: new WritableStream<Message>({
        write(message) {
          const { id, method } = message as Fields;
          if (typeof method !== "string" || id === undefined) return say(message);
          const name = nameOf(method, id);
          asked.set(String(name), id);
          say({ ...message, id: name });
        },
      }),
    },
    take(line) {
      const { method } = line;
      const id = idOf(line["id"]);
      if (id === undefined) return;
      if (typeof method === "string") serve(id, method, line["params"]);
      else answered(line);
    },
    close() {
      inlet?.close();
      inlet = undefined;
    },
  };
}

function idOf(id: unknown): string | number | undefined {
  if (typeof id === "number") return id;
  return typeof id === "string" && id.length <= MAX_ID ? id : undefined;
}

/** Either a result or an error, whatever else stands beside it. */
function outcomeOf(line: Fields): Fields {
  const { error, result } = line;
  if (error === undefined || error === null) return { result: result ?? {} };
  const { code, message, data } = fieldsOf(error);
  return {
    error: {
      code: Number.isInteger(code) ? code : 0,
      message: textOf(message) || textOf(error),
      data,
    },
  };
}
