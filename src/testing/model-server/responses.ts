/** The OpenAI Responses API, as far as an agent uses it. Imports the dialect's types and the wire. */
import type { DeclaredTool, Dialect, Reply } from "./dialect.ts";
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
      tools: toolsOf(body["tools"]),
      stream: body["stream"] === true,
    };
  },

  reply(reply) {
    const { id, model, usage } = reply;
    const item = itemOf(reply);
    const head = { id: `resp_${id}`, object: "response", model };
    const done = {
      ...head,
      status: "completed",
      output: [item],
      usage: {
        input_tokens: usage.input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.input + usage.output,
      },
    };
    if (!reply.stream) return whole(done);
    const typed = (type: string, more: object): string => event({ type, ...more }, type);
    const place = { output_index: 0 };
    const text =
      typeof reply.content === "string"
        ? [
            typed("response.output_text.delta", {
              ...place,
              item_id: item["id"],
              content_index: 0,
              delta: reply.content,
            }),
          ]
        : [];
    return streamed(
      [
        typed("response.created", { response: { ...head, status: "in_progress", output: [] } }),
        typed("response.output_item.added", { ...place, item: opened(item) }),
        ...text,
      ],
      [
        typed("response.output_item.done", { ...place, item }),
        typed("response.completed", { response: done }),
      ],
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

function itemOf({ id, content }: Reply): Fields {
  if (typeof content === "string")
    return {
      type: "message",
      id: `msg_${id}`,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: content, annotations: [] }],
    };
  const { tool, args, input } = content;
  const call = { call_id: `call_${id}`, name: tool.name, status: "completed" };
  if (input !== undefined) return { type: "custom_tool_call", id: `ctc_${id}`, ...call, input };
  const group = tool.group === undefined ? {} : { namespace: tool.group };
  const text = JSON.stringify(args);
  return { type: "function_call", id: `fc_${id}`, ...call, ...group, arguments: text };
}

const opened = (item: Fields): Fields =>
  item["type"] === "message" ? { ...item, status: "in_progress", content: [] } : item;
