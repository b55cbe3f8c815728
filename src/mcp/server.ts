/**
 * The MCP server: which methods there are and in which order. Invariants: nothing but `initialize` and `ping`
 * before the handshake; the client's protocol version if it is known here, else the newest known; an unknown tool
 * is a protocol error; arguments a tool refuses are a result, so that the model can do better.
 */
import { NOTES_RESOURCES } from "../operations/notes/notes.ts";
import type { Context } from "../operations/operation.ts";
import { VERSION } from "../operations/version.ts";
import { INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, RpcError } from "./json-rpc.ts";
import type { Handler, Params } from "./json-rpc.ts";
import { TOOLS } from "./tools.ts";

/** Newest first. */
const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

const INSTRUCTIONS =
  "Use recovery_plan when a tool fails and the cause is not plain. Record what you tried with " +
  "record_attempt, look at attempt_history before you try again, and use ask_human when only a " +
  "person can decide.";

export function createMcpHandler(context: Context): Handler {
  let ready = false;
  return {
    async request(method, params, stop) {
      if (method === "ping") return {};
      if (method === "initialize") {
        ready = true;
        return initialize(params);
      }
      if (!ready) throw new RpcError(INVALID_REQUEST, "initialize comes first");
      switch (method) {
        case "tools/list":
          return {
            tools: TOOLS.map(({ name, title, description, inputSchema }) => ({
              ...{ name, title, description, inputSchema },
            })),
          };
        case "tools/call":
          return callTool({ ...context, signal: stop }, params);
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
    notification: () => undefined,
  };
}

function initialize(params: Params): object {
  const asked = params["protocolVersion"];
  if (typeof asked !== "string")
    throw new RpcError(INVALID_PARAMS, "protocolVersion: expected a string");
  const known = PROTOCOL_VERSIONS.find((version) => version === asked);
  return {
    protocolVersion: known ?? PROTOCOL_VERSIONS[0],
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: "unstuck", title: "Unstuck", version: VERSION },
    instructions: INSTRUCTIONS,
  };
}

async function callTool(context: Context, params: Params): Promise<object> {
  const tool = TOOLS.find(({ name }) => name === params["name"]);
  if (tool === undefined)
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${String(params["name"]).slice(0, 80)}`);
  const result = await tool.call(context, params["arguments"] ?? {});
  if ("refused" in result) return { ...text(result.refused), isError: true };
  return { ...text(result.text), structuredContent: result.data };
}

const text = (words: string): object => ({ content: [{ type: "text", text: words }] });

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
