// proves: J10, U21
import { write } from "../../../src/testing/model-server/scenario.ts";
import { refusedCase } from "../refused-cases.ts";

refusedCase("gemini", "run_shell_command", write("value.txt", "2\n"));
