/**
 * The parts of the providers' APIs that agents use: Anthropic messages, OpenAI chat completions and responses, Gemini
 * generateContent. Each reads a request and formats a reply for its provider.
 */
import type { DeclaredTool, Fields, ProviderApi, ToolCall } from "./provider-api.ts";
import {
  event,
  fields,
  records,
  streamed,
  stringOf,
  textOf,
  typed,
  whole,
} from "./provider-api.ts";

/** The texts of messages, skipping empty ones. */
const saidIn = (messages: readonly Fields[], part = "content"): readonly string[] =>
  messages.map((message) => textOf(message[part])).filter((text) => text !== "");

const toolOf = ({ name }: Fields, schema: unknown): DeclaredTool => ({
  name: stringOf(name),
  schema: fields(schema),
});

const anthropic: ProviderApi = {
  name: "anthropic",
  path: /\/messages$/,

  read(body) {
    const messages = records(body["messages"]);
    const parts = messages.flatMap(({ content }) => records(content));
    return {
      model: stringOf(body["model"]),
      user: saidIn(messages.filter(({ role }) => role !== "assistant")),
      results: parts
        .filter(({ type }) => type === "tool_result")
        .map(({ content }) => textOf(content)),
      tools: records(body["tools"]).map((tool) => toolOf(tool, tool["input_schema"])),
      stream: body["stream"] === true,
    };
  },

  reply({ id, model, stream, usage, text, call }) {
    const blocks: readonly Fields[] = [
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...(call === undefined
        ? []
        : [{ type: "tool_use", id: `toolu_${id}`, name: call.tool.name, input: call.args }]),
    ];
    const tokens = { input_tokens: usage.input, output_tokens: usage.output };
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model };
    const stop_reason = call === undefined ? "end_turn" : "tool_use";
    const end = { stop_reason, stop_sequence: null };
    if (!stream) return whole({ ...message, content: blocks, ...end, usage: tokens });
    const start = { ...message, content: [], stop_reason: null, stop_sequence: null };
    return streamed(
      [
        typed("message_start", { message: { ...start, usage: { ...tokens, output_tokens: 1 } } }),
        ...blocks.flatMap(blockEvents),
        typed("message_delta", { delta: end, usage: { output_tokens: usage.output } }),
        typed("message_stop", {}),
      ],
      3,
    );
  },
};

function blockEvents(block: Fields, index: number): readonly string[] {
  const { type, text, input } = block;
  const empty = type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  const delta =
    type === "text"
      ? { type: "text_delta", text }
      : { type: "input_json_delta", partial_json: JSON.stringify(input) };
  return [
    typed("content_block_start", { index, content_block: empty }),
    typed("content_block_delta", { index, delta }),
    typed("content_block_stop", { index }),
  ];
}

const chat: ProviderApi = {
  name: "chat",
  path: /\/chat\/completions$/,

  read(body) {
    const messages = records(body["messages"]);
    const said = (...roles: readonly unknown[]): readonly string[] =>
      messages.filter(({ role }) => roles.includes(role)).map(({ content }) => textOf(content));
    const tools = records(body["tools"]).map((tool) => fields(tool["function"]));
    return {
      model: stringOf(body["model"]),
      user: said("user", "developer"),
      results: said("tool"),
      tools: tools.map((tool) => toolOf(tool, tool["parameters"])),
      stream: body["stream"] === true,
    };
  },

  reply({ id, model, stream, usage, text, call }) {
    const head = { id: `chatcmpl-${id}`, created: 1, model };
    const named = call && { name: call.tool.name, arguments: JSON.stringify(call.args) };
    const message = {
      role: "assistant",
      content: text === "" && call !== undefined ? null : text,
      tool_calls: named && [{ index: 0, id: `call_${id}`, type: "function", function: named }],
    };
    const finish_reason = call === undefined ? "stop" : "tool_calls";
    const tokens = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    };
    if (!stream) {
      const choices = [{ index: 0, message, finish_reason }];
      return whole({ ...head, object: "chat.completion", choices, usage: tokens });
    }
    const chunk = (choices: readonly object[], more: object = {}): string =>
      event({ ...head, object: "chat.completion.chunk", choices, ...more });
    return streamed(
      [
        chunk([{ index: 0, delta: message, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason }]),
        chunk([], { usage: tokens }),
        event("[DONE]"),
      ],
      3,
    );
  },
};

const responses: ProviderApi = {
  name: "responses",
  path: /\/responses$/,

  read(body) {
    const input = records(body["input"]);
    return {
      model: stringOf(body["model"]),
      user: input
        .filter(({ role }) => role === "user" || role === "developer")
        .map(({ content }) => textOf(content)),
      results: input
        .filter(({ type }) => stringOf(type).endsWith("_output"))
        .map(({ output }) => textOf(output)),
      // Some models receive their tools inside the conversation.
      tools: [body, ...input].flatMap(({ tools }) => toolsOf(tools)),
      stream: body["stream"] === true,
    };
  },

  reply({ id, model, stream, usage, text, call }) {
    const message = {
      type: "message",
      id: `msg_${id}`,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }],
    };
    const output: readonly Fields[] = [
      ...(text === "" ? [] : [message]),
      ...(call === undefined ? [] : [callOf(id, call)]),
    ];
    const head = { id: `resp_${id}`, object: "response", model };
    const done = {
      ...{ ...head, status: "completed", output },
      usage: {
        input_tokens: usage.input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.input + usage.output,
      },
    };
    if (!stream) return whole(done);
    return streamed(
      [
        typed("response.created", { response: { ...head, status: "in_progress", output: [] } }),
        ...output.flatMap((item, index) => itemEvents(item, index, text)),
        typed("response.completed", { response: done }),
      ],
      2,
    );
  },
};

function toolsOf(value: unknown, group?: string): readonly DeclaredTool[] {
  const within = group === undefined ? {} : { group };
  return records(value).flatMap((tool) => {
    const { type, tools, parameters } = tool;
    if (type === "namespace") return toolsOf(tools, stringOf(tool["name"]));
    if (type === "custom") return [{ ...toolOf(tool, {}), freeText: true, ...within }];
    return [{ ...toolOf(tool, parameters), ...within }];
  });
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

const gemini: ProviderApi = {
  name: "gemini",
  path: /:(?:generateContent|streamGenerateContent)$/,

  read(body, path) {
    const contents = records(body["contents"]);
    const parts = contents.flatMap((content) => records(content["parts"]));
    const [, model = "", method = ""] =
      /\/models\/([^/:]{1,100}):([a-zA-Z]{1,40})$/.exec(path) ?? [];
    return {
      model,
      user: saidIn(
        contents.filter(({ role }) => role === "user"),
        "parts",
      ),
      results: parts
        .filter((part) => "functionResponse" in part)
        .map((part) => JSON.stringify(fields(part["functionResponse"])["response"] ?? null)),
      tools: records(body["tools"])
        .flatMap((tool) => records(tool["functionDeclarations"]))
        .map((tool) => toolOf(tool, tool["parametersJsonSchema"] ?? tool["parameters"])),
      stream: method === "streamGenerateContent",
    };
  },

  reply({ id, model, stream, usage, text, call }) {
    const parts = [
      ...(text === "" ? [] : [{ text }]),
      ...(call === undefined ? [] : [{ functionCall: { name: call.tool.name, args: call.args } }]),
    ];
    const answer = (candidate: object): object => ({
      candidates: [{ index: 0, ...candidate }],
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
      modelVersion: model,
      responseId: id,
    });
    const body = { content: { role: "model", parts } };
    if (!stream) return whole(answer({ ...body, finishReason: "STOP" }));
    const end = { content: { role: "model", parts: [] }, finishReason: "STOP" };
    return streamed([event(answer(body)), event(answer(end))], 1);
  },
};

export const APIS: readonly ProviderApi[] = [anthropic, responses, chat, gemini];
