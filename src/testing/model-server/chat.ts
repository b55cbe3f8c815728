/** The OpenAI chat completions API, as far as an agent uses it. */
import type { Dialect, Reply } from "./dialect.ts";
import { fields, list, textOf, words } from "./json.ts";
import { openaiFault } from "./openai-errors.ts";
import { event, streamed, whole } from "./wire.ts";

export const chat: Dialect = {
  read(body) {
    const messages = list(body["messages"]).map(fields);
    const said = (...roles: string[]): string[] =>
      messages
        .filter((message) => roles.includes(words(message["role"])))
        .map((message) => textOf(message["content"]));
    return {
      model: words(body["model"]),
      user: said("user", "developer"),
      results: said("tool"),
      tools: list(body["tools"])
        .map((tool) => fields(fields(tool)["function"]))
        .map((tool) => ({ name: words(tool["name"]), schema: fields(tool["parameters"]) })),
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
