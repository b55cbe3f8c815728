import { hookCases } from "../../hooks/real-agents.ts";

hookCases("opencode");
