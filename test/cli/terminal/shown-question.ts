/** An open question as the operation tells it, for tests of what shows it. */
import { questionWords } from "../../../src/core/report/question-words.ts";
import type { ShownQuestion } from "../../../src/cli/screen/question.ts";
import { checkpoint, T0 } from "./events.ts";

export const DIFF = `diff --git a/x b/x\n@@ -1 +1 @@\n-old\n+new\x1b[2J\n${"+more\n".repeat(60)}`;

export const question = (more: Partial<ShownQuestion> = {}): ShownQuestion => ({
  run: "r1",
  repository: "/repo",
  checkpoint: checkpoint("a"),
  words: questionWords(more.checkpoint ?? checkpoint("a"), more.run ?? "r1"),
  evidence: { keep: "last", lines: ["the error"] },
  askedAt: T0,
  seen: 5,
  story: "",
  tried: ["sent the failing output back (2 times)"],
  approaches: [{ attempt: 1, approach: "the first approach", failure: "verification_failed" }],
  diff: DIFF,
  report: "## Stuck Subtask: a",
  folder: "/slots/1",
  ...more,
});
