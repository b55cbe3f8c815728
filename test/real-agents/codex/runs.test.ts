// proves: J9, U1, U3, U5, U7, D2, D5, E5, B7
import {
  escalationCase,
  faultCases,
  killCase,
  overloadCase,
  steerCase,
  shortFaultCases,
} from "../run-cases.ts";

faultCases("codex");
shortFaultCases("codex");
overloadCase("codex");
steerCase("codex");
escalationCase("codex", ["small-model", /^small-model$/], ["large-model", /^large-model$/]);
killCase("codex");
