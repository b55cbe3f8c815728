/** The two OpenAI APIs, chat completions and responses, as far as an agent uses them. Their errors are the same. */
import type {
  DeclaredTool,
  ProviderApi,
  Fields,
  Reply,
  ToolCall,
  WireResponse,
} from "./provider-api.ts";
import { event, fields, list, streamed, textOf, whole, stringOf } from "./provider-api.ts";
import type { Fault } from "./scenario.ts";

export const chat: ProviderApi = {
  read(body) {
    const messages = list(body["messages"]).map(fields);
    const said = (...roles: string[]): string[] =>
      messages
        .filter((message) => roles.includes(stringOf(message["role"])))
        .map((message) => textOf(message["content"]));
    return {
      model: stringOf(body["model"]),
      user: said("user", "developer"),
      results: said("tool"),
      tools: list(body["tools"])
        .map((tool) => fields(fields(tool)["function"]))
        .map((tool) => ({ name: stringOf(tool["name"]), schema: fields(tool["parameters"]) })),
      stream: body["stream"] === true,
    };
  },

  reply(reply) {
    const { model, usage } = reply;
    const head = { id: `chatcmpl-${reply.id}`, created: 1, model };
    const message = messageOf(reply);
    const finish = reply.call === undefined ? "stop" : "tool_calls";
    const tokens = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    };
    if (!reply.stream) {
      const choice = { index: 0, message, finish_reason: finish };
      return whole({ ...head, object: "chat.completion", choices: [choice], usage: tokens });
    }
    const chunk = (choices: readonly object[], more: object = {}): string =>
      event({ ...head, object: "chat.completion.chunk", choices, ...more });
    return streamed(
      [chunk([{ index: 0, delta: message, finish_reason: null }])],
      [
        chunk([{ index: 0, delta: {}, finish_reason: finish }]),
        chunk([], { usage: tokens }),
        event("[DONE]"),
      ],
    );
  },

  fault: openaiFault,
};

function messageOf({ id, text, call }: Reply): object {
  if (call === undefined) return { role: "assistant", content: text };
  const named = { name: call.tool.name, arguments: JSON.stringify(call.args) };
  const calls = [{ index: 0, id: `call_${id}`, type: "function", function: named }];
  return { role: "assistant", content: text === "" ? null : text, tool_calls: calls };
}

type ErrorOf = (model: string, retryAfter: number) => readonly [number, string, string, string];

const ERRORS: Readonly<Record<Fault, ErrorOf>> = {
  rate_limited: (model, seconds) => [
    429,
    "requests",
    "rate_limit_exceeded",
    `Rate limit reached for ${model}. Please try again in ${seconds}s.`,
  ],
  usage_limit: (_, seconds) => [
    429,
    "usage_limit_reached",
    "usage_limit_reached",
    `The usage limit has been reached. It resets in ${seconds} seconds.`,
  ],
  overloaded: () => [503, "server_error", "server_is_overloaded", "The servers are overloaded."],
  server_error: () => [500, "server_error", "server_error", "The server had an error."],
  bad_key: () => [401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided."],
  no_credit: () => [
    429,
    "insufficient_quota",
    "insufficient_quota",
    "You exceeded your current quota, check your plan and billing details.",
  ],
  no_model: (model) => [
    404,
    "invalid_request_error",
    "model_not_found",
    `The model ${model} does not exist.`,
  ],
  context_full: () => [
    400,
    "invalid_request_error",
    "context_length_exceeded",
    "Your input exceeds the context window of this model.",
  ],
};

function openaiFault(fault: Fault, model: string, retryAfter: number): WireResponse {
  const [status, type, code, message] = ERRORS[fault](model, retryAfter);
  const at = Math.ceil(Date.now() / 1000) + retryAfter;
  const isLimit = fault === "usage_limit";
  const resets = isLimit ? { resets_in_seconds: retryAfter, resets_at: at } : {};
  return whole({ error: { message, type, param: null, code, ...resets } }, status, {
    ...(status === 429 ? { "retry-after": String(retryAfter) } : {}),
    ...(isLimit ? usedUp(at) : {}),
  });
}

/** The window of a plan, as Codex is told of it with every answer. */
const usedUp = (resetsAt: number): Readonly<Record<string, string>> => ({
  "x-codex-primary-used-percent": "100",
  "x-codex-primary-window-minutes": "300",
  "x-codex-primary-reset-at": String(resetsAt),
});

export const responses: ProviderApi = {
  read(body) {
    const input = list(body["input"]).map(fields);
    return {
      model: stringOf(body["model"]),
      user: input
        .filter((item) => item["role"] === "user" || item["role"] === "developer")
        .map((item) => textOf(item["content"])),
      results: input
        .filter((item) => stringOf(item["type"]).endsWith("_output"))
        .map((item) => textOf(item["output"])),
      tools: [
        ...toolsOf(body["tools"]),
        // Some models are told their tools within the conversation.
        ...input.flatMap((item) => toolsOf(item["tools"])),
      ],
      stream: body["stream"] === true,
    };
  },

  reply(reply) {
    const { id, model, usage } = reply;
    const items = itemsOf(reply);
    const head = { id: `resp_${id}`, object: "response", model };
    const done = {
      ...head,
      status: "completed",
      output: items,
      usage: {
        input_tokens: usage.input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.input + usage.output,
      },
    };
    if (!reply.stream) return whole(done);
    const parts = items.flatMap((item, index) => itemEvents(item, index, reply.text));
    return streamed(
      [
        typed("response.created", { response: { ...head, status: "in_progress", output: [] } }),
        ...parts.slice(0, -1),
      ],
      [...parts.slice(-1), typed("response.completed", { response: done })],
    );
  },

  fault: openaiFault,
};

function toolsOf(value: unknown, group?: string): DeclaredTool[] {
  const within = group === undefined ? {} : { group };
  return list(value)
    .map(fields)
    .flatMap((tool) => {
      const name = stringOf(tool["name"]);
      if (tool["type"] === "namespace") return toolsOf(tool["tools"], name);
      if (tool["type"] === "custom") return [{ name, schema: {}, freeText: true, ...within }];
      return [{ name, schema: fields(tool["parameters"]), ...within }];
    });
}

const typed = (type: string, more: object): string => event({ type, ...more }, type);

function itemsOf({ id, text, call }: Reply): readonly Fields[] {
  const message = {
    type: "message",
    id: `msg_${id}`,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  };
  return [...(text === "" ? [] : [message]), ...(call === undefined ? [] : [callOf(id, call)])];
}

function callOf(id: string, { tool, args, input }: ToolCall): Fields {
  const call = { call_id: `call_${id}`, name: tool.name, status: "completed" };
  if (input !== undefined) return { type: "custom_tool_call", id: `ctc_${id}`, ...call, input };
  const group = tool.group === undefined ? {} : { namespace: tool.group };
  const text = JSON.stringify(args);
  return { type: "function_call", id: `fc_${id}`, ...call, ...group, arguments: text };
}

function itemEvents(item: Fields, index: number, text: string): readonly string[] {
  const place = { output_index: index };
  const isMessage = item["type"] === "message";
  const opened = isMessage ? { ...item, status: "in_progress", content: [] } : item;
  const delta = { ...place, item_id: item["id"], content_index: 0, delta: text };
  return [
    typed("response.output_item.added", { ...place, item: opened }),
    ...(isMessage ? [typed("response.output_text.delta", delta)] : []),
    typed("response.output_item.done", { ...place, item }),
  ];
}
