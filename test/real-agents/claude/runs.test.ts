// proves: J9, U1, U3, U5, U7, D2, D5, E5, B7
import { escalationCase, faultCases, killCase, steerCase, shortFaultCases } from "../run-cases.ts";

faultCases("claude");
shortFaultCases("claude");
steerCase("claude");
escalationCase("claude", ["haiku", /haiku/], ["opus", /opus/]);
killCase("claude");
