// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import { ARGUMENT_CASES, TOOL_ARGUMENT_CASES } from "./cases/arguments.ts";
import { BUILD_CASES } from "./cases/builds.ts";
import type { Case } from "./cases/case.ts";
import { LOCALE_CASES } from "./cases/locales.ts";
import { AGENT_CASES, CALL_CASES, SERVICE_CASES } from "./cases/services.ts";
import { SHELL_CASES } from "./cases/shell.ts";

function check(tool: string, cases: readonly Case[]): void {
  assert.ok(cases.length > 5);
  for (const [text, ...accepted] of cases)
    for (const field of ["stderr", "stdout", "message"] as const) {
      const failure = classify({ tool, [field]: text });
      assert.ok(
        accepted.includes(failure.kind),
        `${text}\n=> ${failure.kind}, not ${accepted.join(" or ")}: ${failure.because.join("; ")}`,
      );
    }
}

test("commands", () => check("run_bash", SHELL_CASES));
test("builds, tests, linters and packages", () => check("run_bash", BUILD_CASES));
test("wrong calls of programs", () => check("run_bash", ARGUMENT_CASES));
test("wrong calls of tools", () => check("tool_call", TOOL_ARGUMENT_CASES));
test("model services", () => check("llm", SERVICE_CASES));
test("tool calls", () => check("tool_call", CALL_CASES));
test("agent CLIs", () => check("agent_cli", AGENT_CASES));
test("other languages and Windows", () => check("run_bash", LOCALE_CASES));
