// proves: J10, U21
import { write } from "../../../src/testing/model-server/scenario.ts";
import { refusedCase } from "../refused-cases.ts";

refusedCase("opencode", "bash", write("value.txt", "2\n"));
