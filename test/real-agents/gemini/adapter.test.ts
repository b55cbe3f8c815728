// proves: U3, U5
import { agentCases } from "../agent-cases.ts";

agentCases("gemini", { model: ["gemini-2.5-pro", /^gemini-2\.5-pro$/] });
