// proves: E8, U14
import { acpCases } from "../acp-cases.ts";

acpCases("gemini", {
  command: "gemini --acp",
  model: ["gemini-2.5-pro", /^gemini-2\.5-pro$/],
  resumes: false,
  faults: [
    ["bad_key", "auth_required"],
    ["context_full", "context_exhausted"],
  ],
});
