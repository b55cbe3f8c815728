/** What each rule of `model-answers` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const MODEL_ANSWERS: Examples = {
  "context-window": {
    example: "prompt is too long: 214000 tokens > 200000 maximum",
    nearMiss: "context deadline exceeded",
  },
  "refused-by-policy": {
    example: "The response was filtered because it triggered our content management policy.",
    nearMiss: "the retry policy was refused by the editor",
  },
  "malformed-answer": {
    example: "failed to parse the model response as JSON",
    nearMiss: "the response was a JSON file",
  },
  "json-decode-in-shell": {
    example: "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
    nearMiss: "the JSON of a cart",
  },
};
