/**
 * JSON-RPC 2.0 over lines, as MCP's stdio transport has it. Invariants: every line gets a valid message or silence (for
 * notifications); requests are answered independently of each other; a request that was cancelled is not answered.
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

export type Params = Readonly<Record<string, unknown>>;

export interface Handler {
  readonly request: (method: string, params: Params, stop: AbortSignal) => Promise<unknown>;
  readonly notification: (method: string, params: Params) => void;
}

type Id = string | number;

/** Takes one line; sends at most one message for it, maybe later. */
export function createRpc(handler: Handler, send: (message: object) => void) {
  const open = new Map<Id, AbortController>();
  const fail = (id: Id | null, code: number, message: string): void =>
    send({ jsonrpc: "2.0", id, error: { code, message } });

  const answer = async (id: Id, method: string, params: Params): Promise<void> => {
    if (open.has(id)) return fail(id, INVALID_REQUEST, "a request with this id is under way");
    const controller = new AbortController();
    open.set(id, controller);
    try {
      const result = await handler.request(method, params, controller.signal);
      if (!controller.signal.aborted) send({ jsonrpc: "2.0", id, result });
    } catch (error) {
      if (controller.signal.aborted) return;
      if (error instanceof RpcError) fail(id, error.code, error.message);
      else fail(id, INTERNAL_ERROR, error instanceof Error ? error.message : String(error));
    } finally {
      open.delete(id);
    }
  };

  return {
    async line(text: string): Promise<void> {
      const message = parse(text);
      if (message === undefined) return fail(null, PARSE_ERROR, "not JSON");
      const { jsonrpc, id, method, params = {} } = message;
      if (jsonrpc !== "2.0" || (id !== undefined && !isId(id)))
        return fail(isId(id) ? id : null, INVALID_REQUEST, "not a JSON-RPC 2.0 message");
      // An answer to something this server never asks.
      if (method === undefined && ("result" in message || "error" in message)) return;
      if (typeof method !== "string" || !isParams(params))
        return fail(id ?? null, INVALID_REQUEST, "not a JSON-RPC 2.0 request");
      if (id !== undefined) return answer(id, method, params);
      const cancelled = params["requestId"];
      if (method === "notifications/cancelled" && isId(cancelled)) open.get(cancelled)?.abort();
      else handler.notification(method, params);
    },
    /** Nobody is there any more. */
    close(): void {
      for (const controller of open.values()) controller.abort();
    },
  };
}

function parse(text: string): Params | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isParams(value) ? value : {};
  } catch {
    return undefined;
  }
}

const isParams = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is Id =>
  typeof value === "string" || (typeof value === "number" && Number.isInteger(value));
