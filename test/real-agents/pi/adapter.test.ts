// proves: U3, U5
import { agentCases } from "../agent-cases.ts";

agentCases("pi", { model: ["scripted/large-model", /^large-model$/], trustsCutAnswers: true });
