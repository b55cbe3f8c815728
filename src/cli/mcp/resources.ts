/** The resources behind the MCP tools: attempts, open questions, kinds of failure. */
import { KINDS } from "../../core/kinds.ts";
import { exportHistory } from "../../core/history/attempt-history.ts";
import { INVALID_PARAMS, RpcError } from "./json-rpc.ts";
import type { McpStore } from "./store.ts";

const RESOURCE_NOT_FOUND = -32002;

interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly read: (store: McpStore) => unknown;
}

const RESOURCES: readonly Resource[] = [
  {
    uri: "unstuck://attempts",
    name: "attempts",
    description: "What was tried in this folder, by subtask",
    read: (store) => exportHistory(store.history()),
  },
  {
    uri: "unstuck://questions",
    name: "questions",
    description: "Questions to a person that are not answered yet",
    read: (store) => store.openQuestions(),
  },
  {
    uri: "unstuck://kinds",
    name: "kinds",
    description: "The kinds of failure, their category and what is tried first",
    read: () => KINDS,
  },
];

export const listResources = (): readonly object[] =>
  RESOURCES.map(({ uri, name, description }) => ({
    ...{ uri, name, description, mimeType: "application/json" },
  }));

export function readResource(store: McpStore, uri: unknown): object {
  if (typeof uri !== "string") throw new RpcError(INVALID_PARAMS, "uri: expected a string");
  const resource = RESOURCES.find((one) => one.uri === uri);
  if (resource === undefined)
    throw new RpcError(RESOURCE_NOT_FOUND, `there is no resource ${uri.slice(0, 120)}`);
  return { uri, mimeType: "application/json", text: JSON.stringify(resource.read(store)) };
}
