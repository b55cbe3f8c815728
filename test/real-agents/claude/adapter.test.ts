// proves: U3, U5
import { agentCases } from "../agent-cases.ts";

agentCases("claude", { model: ["opus", /opus/], env: { CLAUDE_CODE_MAX_RETRIES: "1" } });
