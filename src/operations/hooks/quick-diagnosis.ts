/**
 * Loaded by the quick path of `unstuck hook` when needed: a bundle of its own, with rules made ready at build time.
 */
import { diagnosisBy, type Diagnosis } from "../../agents/hooks/diagnosis.ts";
import { packedRules } from "../advice/packed-rules.ts";

export const diagnosis: Diagnosis = diagnosisBy(packedRules);
