/**
 * What our own plugin files say, for agents whose hooks are code (OpenCode, pi): the event as it is, the answer by
 * its kind. The other side is `plugin-files.ts`.
 */
import { textOf } from "../transcripts/json.ts";
import type { Dialect } from "./hook-event.ts";
import { callOf, placeOf, toolResult } from "./payload.ts";

export const PLUGIN: Dialect = {
  read(payload) {
    const place = placeOf(payload);
    switch (place.name) {
      case "before-tool":
        return { kind: "before-tool", ...place, ...callOf(payload) };
      case "after-tool": {
        const { failed, output, exit_code } = payload;
        const { output: text, exitCode } = toolResult({ output, exit_code });
        return {
          kind: "after-tool",
          ...place,
          ...callOf(payload),
          output: text,
          outcome: failed === true || (exitCode ?? 0) !== 0 ? "failed" : "ok",
          ...(exitCode === undefined ? {} : { exitCode }),
        };
      }
      case "prompt":
        return { kind: "prompt", ...place, text: textOf(payload["text"]) };
      case "model-failure":
        return {
          kind: "model-failure",
          ...place,
          type: textOf(payload["type"]),
          text: textOf(payload["text"]),
        };
      case "stop":
      case "compaction":
        return { kind: place.name, ...place };
      default:
        return undefined;
    }
  },
  write: (_event, { kind, words }) => ({ [kind]: words }),
};
