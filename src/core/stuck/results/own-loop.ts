/** Recognises an agent's report that its own guard stopped it for looping. */
import { anyOf } from "./any-of.ts";

const OWN_LOOP = anyOf(
  "i",
  /\bloop detect(?:ed|ion)\b.{0,40}\b(?:stop|halt|abort|terminat|interrupt)/,
  /\b(?:potential|possible|infinite|endless|tool.call) loop (?:was |has been )?detected\b/,
  /\bstuck in (?:a |an )?(?:infinite |endless )?loop\b|\brepetitive tool calls (?:were )?detected\b/,
);

export const reportsOwnLoop = (text: string): boolean => OWN_LOOP.test(text.slice(0, 400));
