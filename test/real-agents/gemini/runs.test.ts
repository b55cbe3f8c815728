// proves: D8
import { write } from "../../../src/testing/model-server/scenario.ts";
import { ownLoopCase } from "../run-cases.ts";

ownLoopCase("gemini", write("value.txt", "2\n"));
