// proves: A9
import { steerCase } from "../run-cases.ts";

steerCase("pi");
