/**
 * What the quick path of `unstuck hook` loads when something failed or came again: a bundle of its own, with the
 * rules made ready at build time.
 */
import { diagnosisBy, type Diagnosis } from "../../agents/hooks/diagnosis.ts";
import { packedRules } from "../advice/packed-rules.ts";

export const diagnosis: Diagnosis = diagnosisBy(packedRules);
