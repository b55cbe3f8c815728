/** The Anthropic Messages API, as far as an agent uses it. */
import type { ProviderApi, Fields, Reply } from "./provider-api.ts";
import { event, fields, list, streamed, textOf, whole, stringOf } from "./provider-api.ts";
import type { Fault } from "./scenario.ts";

export const anthropic: ProviderApi = {
  read(body) {
    const messages = list(body["messages"]).map(fields);
    const results = messages
      .flatMap((message) => list(message["content"]).map(fields))
      .filter((part) => part["type"] === "tool_result");
    return {
      model: stringOf(body["model"]),
      user: messages
        .filter((message) => message["role"] !== "assistant")
        .map((message) => textOf(message["content"]))
        .filter((text) => text !== ""),
      results: results.map((part) => textOf(part["content"])),
      tools: list(body["tools"])
        .map(fields)
        .map((tool) => ({ name: stringOf(tool["name"]), schema: fields(tool["input_schema"]) })),
      stream: body["stream"] === true,
    };
  },

  reply(reply) {
    const { id, model, usage } = reply;
    const blocks = blocksOf(reply);
    const stop_reason = reply.call === undefined ? "end_turn" : "tool_use";
    const tokens = { input_tokens: usage.input, output_tokens: usage.output };
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model };
    const end = { stop_reason, stop_sequence: null };
    if (!reply.stream) return whole({ ...message, content: blocks, ...end, usage: tokens });
    const start = { ...message, content: [], stop_reason: null, stop_sequence: null };
    const parts = blocks.flatMap(blockEvents);
    return streamed(
      [
        typed("message_start", { message: { ...start, usage: { ...tokens, output_tokens: 1 } } }),
        ...parts.slice(0, -1),
      ],
      [
        ...parts.slice(-1),
        typed("message_delta", { delta: end, usage: { output_tokens: usage.output } }),
        typed("message_stop", {}),
      ],
    );
  },

  fault(fault, model, retryAfter) {
    const [status, type, message] = ERRORS[fault](model, retryAfter);
    const later = status === 429 ? { "retry-after": String(retryAfter) } : {};
    const final = fault === "usage_limit" ? { "x-should-retry": "false" } : {};
    const body = { type: "error", error: { type, message } };
    return whole(body, status, { ...later, ...final });
  },
};

const typed = (type: string, more: object): string => event({ type, ...more }, type);

type Block =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: Fields;
    };

function blocksOf({ id, text, call }: Reply): readonly Block[] {
  return [
    ...(text === "" ? [] : [{ type: "text", text } as const]),
    ...(call === undefined
      ? []
      : [{ type: "tool_use", id: `toolu_${id}`, name: call.tool.name, input: call.args } as const]),
  ];
}

function blockEvents(block: Block, index: number): readonly string[] {
  const empty = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  const delta =
    block.type === "text"
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  return [
    typed("content_block_start", { index, content_block: empty }),
    typed("content_block_delta", { index, delta }),
    typed("content_block_stop", { index }),
  ];
}

type ErrorOf = (model: string, retryAfter: number) => readonly [number, string, string];

const ERRORS: Readonly<Record<Fault, ErrorOf>> = {
  rate_limited: () => [429, "rate_limit_error", "Too many requests for this organization."],
  usage_limit: (_, seconds) => [
    429,
    "rate_limit_error",
    `The usage limit is reached. It resets in ${seconds} seconds.`,
  ],
  overloaded: () => [529, "overloaded_error", "Overloaded"],
  server_error: () => [500, "api_error", "Internal server error"],
  bad_key: () => [401, "authentication_error", "invalid x-api-key"],
  no_credit: () => [400, "invalid_request_error", "Your credit balance is too low."],
  no_model: (model) => [404, "not_found_error", `model: ${model}`],
  context_full: () => [
    400,
    "invalid_request_error",
    "prompt is too long: 230000 tokens > 200000 maximum",
  ],
};
