// proves: E8, U14
import { acpCases } from "../acp-cases.ts";

acpCases("opencode", {
  command: "opencode acp",
  model: ["scripted/large-model", /^large-model$/],
  resumes: true,
  runsAnything: true,
  faults: [["bad_key", "auth_required"]],
});
