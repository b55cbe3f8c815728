/**
 * For agents whose hooks are code (OpenCode, pi): a plugin file of ours passes events to `unstuck hook` as they are
 * and answers back by their kind. Invariants of such a file: whatever goes wrong in it, or if `unstuck` is gone,
 * the agent goes on as if it was not there; below a run it does nothing.
 */
import { textOf } from "../output/json.ts";
import type { Dialect } from "./hook-event.ts";
import { callOf, placeOf, toolResult } from "./payload.ts";

export const pluginDialect: Dialect = {
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

/** How every plugin file begins: with `ask`, which gives an event to the hook and brings its answer. */
export const pluginHead = (agent: string): string => `\
// Added by: unstuck hook install ${agent}. Remove with: unstuck hook uninstall ${agent}.
import { spawn } from "node:child_process";

const ask = (payload, limitMs = 10_000) =>
  new Promise((resolve) => {
    try {
      const child = spawn("unstuck", ["hook", "${agent}"], { stdio: ["pipe", "pipe", "ignore"] });
      const timer = setTimeout(() => child.kill(), limitMs);
      let text = "";
      child.stdout.on("data", (chunk) => (text += chunk));
      child.stdin.on("error", () => {});
      child.on("error", () => (clearTimeout(timer), resolve({})));
      child.on("close", () => {
        clearTimeout(timer);
        try {
          resolve(JSON.parse(text) ?? {});
        } catch {
          resolve({});
        }
      });
      child.stdin.end(JSON.stringify(payload));
    } catch {
      resolve({});
    }
  });
`;
