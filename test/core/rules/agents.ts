/** What each rule of `agents` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const AGENTS: Examples = {
  "unknown-tool": {
    example: "Error: Unknown tool: count_carts",
    nearMiss: "Invalid tool input: missing field 'path'",
  },
  "unknown-tool-in-registry": {
    example: "count_carts is not an available tool; call another",
    nearMiss: "the tool wrote a file",
  },
  "tool-input-invalid": {
    example: "InputValidationError: Read failed: The required parameter `file_path` is missing",
    nearMiss: "the required reading is missing",
  },
  "edit-not-applicable": {
    example: "String to replace not found in file.",
    nearMiss: "replace the string of lights",
  },
  "tool-not-enabled": {
    example: "call rejected: 'cartSearch' is not in the set of enabled tools [read, write]",
    nearMiss: "the tool finished and wrote one file",
  },
  "runtime-crash": {
    example: "oh no: Bun has crashed while it counted carts",
    nearMiss: "the market crashed in a panic",
  },
  "agent-unhandled": {
    example: "thread 'main' panicked at src/agent.rs:12:5:",
    nearMiss: "a thread of panic ran through the town",
  },
  "agent-invalid-request": {
    example: "The model `cart-large` does not exist or you do not have access to it.",
    nearMiss: "the model wore a dress",
  },
};
