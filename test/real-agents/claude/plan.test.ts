// proves: U19
import { planCases } from "../plan-cases.ts";

planCases("claude");
