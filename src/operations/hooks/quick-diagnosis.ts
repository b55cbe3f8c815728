/** Loaded on demand by the fast path of `unstuck hook`: a separate bundle with rules prepared at build time. */
import { diagnosisBy, type Diagnosis } from "../../agents/hooks/diagnosis.ts";
import { packedRules } from "../advice/packed-rules.ts";

export const diagnosis: Diagnosis = diagnosisBy(packedRules);
