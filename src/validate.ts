/**
 * `unstuck/validate`: checks a model's answers and tool calls before anybody acts on them. Needs ajv and jsonrepair.
 */
export { validateJsonAnswer } from "./core/validate/json-answer.ts";
export type { AnswerVerdict } from "./core/validate/json-answer.ts";
export { readToolSpecs, validateToolCall } from "./core/validate/tool-call.ts";
export type { ToolCall, ToolCallVerdict, ToolSpec } from "./core/validate/tool-call.ts";
