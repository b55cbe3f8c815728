// proves: U5
import { shell, write } from "../../../src/testing/model-server/scenario.ts";
import { steerCase } from "../run-cases.ts";

steerCase("opencode", shell("cat missing.txt"), write("value.txt", "2\n"));
