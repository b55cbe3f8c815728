// proves: U3, U5
import { agentCases } from "../agent-cases.ts";

agentCases("opencode", {
  patienceMs: 30_000,
  model: ["scripted/large-model", /^large-model$/],
  compacts: true,
});
