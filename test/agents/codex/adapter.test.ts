// proves: U3, U5
import { agentCases } from "../agent-cases.ts";

agentCases("codex", { model: ["large-model", /^large-model$/] });
