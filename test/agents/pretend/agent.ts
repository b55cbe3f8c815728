/** An agent that does not exist, as one would be added: a folder with its descriptor and its output. */
import type { AgentDescriptor } from "../../../src/agents/agent.ts";
import { pretendOutput } from "./output.ts";

export const pretend: AgentDescriptor = {
  name: "pretend",
  profile: {
    title: "Pretend",
    binary: "pretend",
    versionArgs: ["--version"],
    tested: { from: "1.0.0", below: "2.0.0" },
    install: "npm install -g pretend",
    login: "pretend login",
    account: "https://pretend.example/account",
    keyVariables: ["PRETEND_KEY"],
    loginFiles: [],
    features: ["typed-output", "reports-tokens"],
  },
  output: pretendOutput,
  driver: {
    commandLine: ({ model, session }) => ({
      args: [
        ...(model === undefined ? [] : ["--model", model]),
        ...(session === undefined ? [] : ["--session", session]),
      ],
      env: { PRETEND_QUIET: "1" },
    }),
  },
  tellsVersion: true,
};
