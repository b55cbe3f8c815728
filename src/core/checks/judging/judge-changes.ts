import type { JudgeInput, Judgement } from "./contract.ts";
export const judgeChanges = (_: JudgeInput): Judgement => ({
  changes: [],
  again: false,
  restore: [],
});
