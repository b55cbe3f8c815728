/**
 * `unstuck/validate`: checks a model's answers and tool calls before anybody acts on them. Needs ajv and jsonrepair.
 */
export { validateJsonAnswer } from "./core/validate/json-answer.ts";
export type { AnswerVerdict } from "./core/validate/json-answer.ts";
export { validateToolCall } from "./core/validate/tool-call.ts";
export { readToolSpecs } from "./core/validate/tool-specs.ts";
export type { ToolCall, ToolCallVerdict } from "./core/validate/tool-call.ts";
export type { ToolSpec } from "./core/validate/tool-specs.ts";
