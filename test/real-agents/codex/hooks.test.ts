import { hookCases } from "../../agents/hooks/real-agents.ts";

hookCases("codex");
