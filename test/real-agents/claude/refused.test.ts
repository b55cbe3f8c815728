// proves: J10, U21
import { shell } from "../../../src/testing/model-server/scenario.ts";
import { refusedCase } from "../refused-cases.ts";

refusedCase("claude", "Bash", shell("printf '2\\n' > value.txt"));
