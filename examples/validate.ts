// Before a model's answer or tool call is accepted: find the JSON, mend it where it can be mended, check it.
import assert from "node:assert/strict";
import { validateJsonAnswer, validateToolCall } from "../src/validate.ts";

const schema = { type: "object", required: ["files"], properties: { files: { type: "array" } } };

const mended = validateJsonAnswer("Sure!\n```json\n{files: ['a.ts', 'b.ts',]}\n```", schema);
assert.deepEqual(mended, { valid: true, value: { files: ["a.ts", "b.ts"] }, repaired: true });

const refused = validateJsonAnswer('{"file": "a.ts"}', schema);
assert.equal(refused.valid, false);
assert.equal(refused.suggestion, 'Add the property "files" to the answer.');

const tools = [
  {
    name: "read_file",
    schema: { type: "object", required: ["path"], properties: { path: { type: "string" } } },
  },
];
const invented = validateToolCall({ name: "readfile", arguments: { path: "a.ts" } }, tools);
assert.equal(invented.suggestion, "Did you mean read_file? Available: read_file.");
const call = validateToolCall('{"name": "read_file", "arguments": {"path": "a.ts"}}', tools);
assert.deepEqual(call.value, [{ tool: "read_file", args: { path: "a.ts" } }]);
console.log(invented.error, invented.suggestion);
