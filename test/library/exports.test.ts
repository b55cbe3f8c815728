// What the package promises: the values of each entry. An addition is a promise, a removal breaks somebody.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as core from "../../src/core.ts";
import * as main from "../../src/index.ts";
import * as rules from "../../src/rules.ts";
import * as testing from "../../src/testing/index.ts";
import * as validate from "../../src/validate.ts";

const names = (module: object): readonly string[] => Object.keys(module).sort();

test("unstuck", () => {
  assert.deepEqual(names(main), ["PRESETS", "classify", "createRecovery", "createStuckDetector"]);
});

test("unstuck/rules, unstuck/validate, unstuck/testing", () => {
  assert.deepEqual(names(rules), ["standardRules"]);
  assert.deepEqual(names(validate), ["readToolSpecs", "validateJsonAnswer", "validateToolCall"]);
  assert.deepEqual(names(testing), [
    ...["fault", "say", "scriptedAgentCommand", "shell", "startModelServer", "write"],
  ]);
});

test("unstuck/core", () => {
  assert.deepEqual(
    names(core),
    [
      ...["decide", "fold", "foldAll", "NEW_RUN", "outstanding", "needsPerson", "phases"],
      ...["planGraph", "transitiveDependents", "ladder", "readPolicy", "policyJsonSchema"],
      ...["readLoopSettings", "withLoopSettings", "MUTATIONS", "RECOVERIES", "RECOVERY_NAMES"],
      ...["readEvidence", "categoryOf", "FAILURE_KINDS", "firstMoveOf", "isInfrastructure"],
      ...["adaptive", "policyOf"],
      ...["NO_RULES", "signatureOf", "parseReset", "repairPlan", "nextRepairStep", "mutate"],
      ...["nextMutation", "recoveryHints", "retryContext", "subtaskPrompt", "escalationReport"],
      ...["escapeHtml", "escapeMarkdown", "fence", "cleanText", "cleanLine", "createStuckWatch"],
      ...["readStuckConfig", "readStep", "circularFix", "outputNovelty", "progressScore"],
      ...["endRecovery", "NOT_STUCK", "startRecovery", "stuckState", "exportHistory"],
      ...["importHistory", "episodeLine", "readEpisodes"],
    ].sort(),
  );
});

test("every entry of package.json has its source", () => {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  const files = Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [entry.default],
  );
  assert.equal(files.length, 5);
  for (const file of files)
    assert.ok(readFileSync(file.replace("./dist/", "src/").replace(/\.js$/, ".ts"), "utf8"));
});

test("classify without rules reads no texts", () => {
  const stderr = "fatal: could not read from remote repository";
  assert.equal(main.classify({ stderr }).kind, "unknown");
  assert.notEqual(main.classify({ stderr }, rules.standardRules()).kind, "unknown");
});
