/** The OpenAI Responses API, as far as an agent uses it. */
import type { DeclaredTool, Dialect, Reply, ToolCall } from "./dialect.ts";
import { fields, list, textOf, words } from "./json.ts";
import type { Fields } from "./json.ts";
import { openaiFault } from "./openai-errors.ts";
import { event, streamed, whole } from "./wire.ts";

export const responses: Dialect = {
  read(body) {
    const input = list(body["input"]).map(fields);
    return {
      model: words(body["model"]),
      user: input
        .filter((item) => item["role"] === "user" || item["role"] === "developer")
        .map((item) => textOf(item["content"])),
      results: input
        .filter((item) => words(item["type"]).endsWith("_output"))
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
      const name = words(tool["name"]);
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
