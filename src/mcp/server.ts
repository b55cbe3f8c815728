/**
 * The MCP server: its methods and resources. Invariants: only `initialize` and `ping` are answered before the
 * handshake; it speaks the client's protocol version if known, otherwise the newest it knows; an unknown tool is a
 * protocol error; a client that sent a progress token receives progress with strictly growing numbers.
 */
import { NOTES_RESOURCES } from "../operations/notes/notes.ts";
import type { Context } from "../operations/operation.ts";
import { VERSION } from "../operations/version.ts";
import { INVALID_PARAMS, INVALID_REQUEST, isId, METHOD_NOT_FOUND, RpcError } from "./json-rpc.ts";
import type { Call, Handler, Params } from "./json-rpc.ts";
import { TOOLS, type Progress } from "./tools.ts";

/** Newest first. */
const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** The only version in which one line may contain several messages. */
const WITH_BATCHES = "2025-03-26";

const INSTRUCTIONS =
  "Use recovery_plan when a tool fails and the cause is not plain. Record what you tried with " +
  "record_attempt, look at attempt_history before you try again, and use ask_human when only a " +
  "person can decide.";

export function createMcpHandler(context: Context): Handler {
  let version: string | undefined;
  return {
    takesBatches: () => version === WITH_BATCHES,
    async request(call) {
      const { method, params } = call;
      if (method === "ping") return {};
      if (method === "initialize") {
        version = versionFor(params["protocolVersion"]);
        return handshake(version);
      }
      if (version === undefined) throw new RpcError(INVALID_REQUEST, "initialize comes first");
      switch (method) {
        case "tools/list":
          return { tools: TOOLS.map(({ listed }) => listed) };
        case "tools/call":
          return callTool(context, call);
        case "resources/list":
          return { resources: RESOURCES.map(({ read: _, ...resource }) => resource) };
        case "resources/templates/list":
          return { resourceTemplates: [] };
        case "resources/read":
          return { contents: [readResource(context, params["uri"])] };
        default:
          throw new RpcError(METHOD_NOT_FOUND, `there is no method ${method.slice(0, 80)}`);
      }
    },
  };
}

function versionFor(asked: unknown): string {
  if (typeof asked !== "string")
    throw new RpcError(INVALID_PARAMS, "protocolVersion: expected a string");
  return PROTOCOL_VERSIONS.find((known) => known === asked) ?? PROTOCOL_VERSIONS[0];
}

function handshake(protocolVersion: string): object {
  return {
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: "unstuck", title: "Unstuck", version: VERSION },
    instructions: INSTRUCTIONS,
  };
}

async function callTool(context: Context, call: Call): Promise<object> {
  const { params, stop } = call;
  const tool = TOOLS.find(({ listed }) => listed.name === params["name"]);
  if (tool === undefined)
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${String(params["name"]).slice(0, 80)}`);
  return tool.call({ ...context, signal: stop }, params["arguments"] ?? {}, progressTo(call));
}

const NOTICE_EVERY_S = 2;

/** Sends nothing if the client gave no token. */
function progressTo({ params, notify }: Call): Progress {
  const progressToken = (params["_meta"] as Params | undefined)?.["progressToken"];
  let next = 0;
  return (progress, total, message) => {
    if (!isId(progressToken) || progress < next) return;
    next = progress + NOTICE_EVERY_S;
    notify("notifications/progress", { progressToken, progress, total, message });
  };
}

const RESOURCE_NOT_FOUND = -32002;

const RESOURCES = NOTES_RESOURCES.map((resource) => ({
  ...resource,
  uri: `unstuck://${resource.name}`,
  mimeType: "application/json",
}));

function readResource(context: Context, uri: unknown): object {
  if (typeof uri !== "string") throw new RpcError(INVALID_PARAMS, "uri: expected a string");
  const resource = RESOURCES.find((one) => one.uri === uri);
  if (resource === undefined)
    throw new RpcError(RESOURCE_NOT_FOUND, `there is no resource ${uri.slice(0, 120)}`);
  const { mimeType } = resource;
  return { uri, mimeType, text: JSON.stringify(resource.read(context)) };
}
