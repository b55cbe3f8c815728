/**
 * JSON-RPC 2.0 over lines, as in MCP's stdio transport. Invariants: every line gets a valid message, or none if it is a
 * notification; an overlong line uses no memory; requests are answered independently of each other, those of a batch
 * together when all are done; a cancelled request gets neither an answer nor further progress.
 */

export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

const BATCH_MAX = 1000;

export type Params = Readonly<Record<string, unknown>>;

export interface Call {
  readonly method: string;
  readonly params: Params;
  /** Aborted when the client cancels the call or disconnects. */
  readonly stop: AbortSignal;
  /** Sends the client a notification during this call. */
  readonly notify: (method: string, params: Params) => void;
}

export interface Handler {
  readonly request: (call: Call) => Promise<unknown>;
  /** Whether a line may contain several messages: only in one version of the protocol. */
  readonly takesBatches: () => boolean;
}

type Id = string | number;

/** Takes one line; sends at most one answer for it, possibly later. */
export function createRpc(handler: Handler, send: (message: object) => void) {
  const open = new Map<Id, AbortController>();

  const answer = async (id: Id, method: string, params: Params): Promise<object | undefined> => {
    if (open.has(id)) return failure(id, INVALID_REQUEST, "a request with this id is under way");
    const controller = new AbortController();
    const { signal: stop } = controller;
    open.set(id, controller);
    const notify = (about: string, more: Params): void => {
      if (!stop.aborted) send({ jsonrpc: "2.0", method: about, params: more });
    };
    try {
      const result = await handler.request({ method, params, stop, notify });
      return stop.aborted ? undefined : { jsonrpc: "2.0", id, result };
    } catch (error) {
      if (stop.aborted) return undefined;
      if (error instanceof RpcError) return failure(id, error.code, error.message);
      const words = error instanceof Error ? error.message : String(error);
      return failure(id, INTERNAL_ERROR, words);
    } finally {
      open.delete(id);
    }
  };

  /** Its answer, if it gets one. */
  const take = async (given: unknown): Promise<object | undefined> => {
    const message = isParams(given) ? given : {};
    const { jsonrpc, id, method, params = {} } = message;
    if (jsonrpc !== "2.0" || (id !== undefined && !isId(id)))
      return failure(isId(id) ? id : null, INVALID_REQUEST, "not a JSON-RPC 2.0 message");
    // A response, but this server sends no requests.
    if (method === undefined && ("result" in message || "error" in message)) return undefined;
    if (typeof method !== "string" || !isParams(params))
      return failure(id ?? null, INVALID_REQUEST, "not a JSON-RPC 2.0 request");
    if (id !== undefined) return answer(id, method, params);
    const cancelled = params["requestId"];
    if (method === "notifications/cancelled" && isId(cancelled)) open.get(cancelled)?.abort();
    return undefined;
  };

  const takeBatch = async (batch: readonly unknown[]): Promise<object | undefined> => {
    if (!handler.takesBatches() || batch.length === 0 || batch.length > BATCH_MAX)
      return failure(null, INVALID_REQUEST, "not a JSON-RPC 2.0 message");
    const answers = await Promise.all(
      batch.map(async (one) =>
        isParams(one) && one["method"] === "initialize"
          ? failure(isId(one["id"]) ? one["id"] : null, INVALID_REQUEST, "initialize comes alone")
          : take(one),
      ),
    );
    const said = answers.filter((one) => one !== undefined);
    return said.length === 0 ? undefined : said;
  };

  return {
    async line(text: string): Promise<void> {
      const value = parse(text);
      const said =
        value === NOT_JSON
          ? failure(null, PARSE_ERROR, "not JSON")
          : await (Array.isArray(value) ? takeBatch(value) : take(value));
      if (said !== undefined) send(said);
    },
    /** Rejects a line that was not read. */
    refuse(why: string): void {
      send(failure(null, INVALID_REQUEST, why));
    },
    /** The client has disconnected. */
    close(): void {
      for (const controller of open.values()) controller.abort();
    },
  };
}

const failure = (id: Id | null, code: number, message: string): object => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

const NOT_JSON = Symbol("not JSON");

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

const isParams = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isId = (value: unknown): value is Id =>
  typeof value === "string" || (typeof value === "number" && Number.isInteger(value));

/**
 * Splits a byte stream into lines. A line longer than the limit is yielded once as `undefined`, as soon as that is
 * known; the rest of it is skipped without buffering, and the next line is read normally.
 */
export async function* messageLines(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<string | undefined> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const taken = (): string => {
    const line = Buffer.concat(parts).toString("utf8");
    parts = [];
    return line;
  };
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      const wasTooLong = bytes > bytesMax;
      bytes += part.length;
      if (bytes <= bytesMax) parts.push(part);
      else if (!wasTooLong) {
        parts = [];
        yield undefined;
      }
      if (end < 0) break;
      if (bytes <= bytesMax) yield taken();
      bytes = 0;
      start = end + 1;
    }
  if (parts.length > 0) yield taken();
}

const NEWLINE = 0x0a;
