/** The Gemini generateContent API, as far as an agent uses it. */
import type { ProviderApi } from "./provider-api.ts";
import { event, fields, list, streamed, textOf, whole, stringOf } from "./provider-api.ts";
import type { Fault } from "./scenario.ts";

export const gemini: ProviderApi = {
  read(body, path) {
    const contents = list(body["contents"]).map(fields);
    const [, model = "", method = ""] =
      /\/models\/([^/:]{1,100}):([a-zA-Z]{1,40})$/.exec(path) ?? [];
    return {
      model,
      user: contents
        .filter((content) => content["role"] === "user")
        .map((content) => textOf(content["parts"]))
        .filter((text) => text !== ""),
      results: contents
        .flatMap((content) => list(content["parts"]).map(fields))
        .filter((part) => "functionResponse" in part)
        .map((part) => JSON.stringify(fields(part["functionResponse"])["response"] ?? null)),
      tools: list(body["tools"])
        .flatMap((tool) => list(fields(tool)["functionDeclarations"]))
        .map(fields)
        .map((tool) => ({
          name: stringOf(tool["name"]),
          schema: fields(tool["parametersJsonSchema"] ?? tool["parameters"]),
        })),
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
    return streamed([event(answer(body))], [event(answer(end))]);
  },

  fault(fault, model, retryAfter) {
    const [code, status, message, reason] = ERRORS[fault](model);
    const about = "type.googleapis.com/google.rpc.";
    const info = { "@type": `${about}ErrorInfo`, reason, domain: "googleapis.com" };
    const later = { "@type": `${about}RetryInfo`, retryDelay: `${retryAfter}s` };
    const details = [...(reason === undefined ? [] : [info]), ...(code === 429 ? [later] : [])];
    return whole({ error: { code, message, status, details } }, code);
  },
};

type ErrorOf = (model: string) => readonly [number, string, string, string?];

const ERRORS: Readonly<Record<Fault, ErrorOf>> = {
  rate_limited: () => [
    429,
    "RESOURCE_EXHAUSTED",
    "Resource has been exhausted.",
    "RATE_LIMIT_EXCEEDED",
  ],
  usage_limit: () => [429, "RESOURCE_EXHAUSTED", "You have exhausted your quota on this model."],
  overloaded: () => [503, "UNAVAILABLE", "The model is overloaded."],
  server_error: () => [500, "INTERNAL", "An internal error has occurred."],
  bad_key: () => [400, "INVALID_ARGUMENT", "API key not valid.", "API_KEY_INVALID"],
  no_credit: () => [402, "FAILED_PRECONDITION", "The billing account is not active."],
  no_model: (model) => [404, "NOT_FOUND", `models/${model} is not found.`],
  context_full: () => [
    400,
    "INVALID_ARGUMENT",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  ],
};
