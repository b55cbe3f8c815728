// proves: P6
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { repository } from "../end-to-end/run/repository.ts";
import { ROOT } from "./command.ts";

const here = repository();
after(() => here.remove());
const ajv = new Ajv2020({ strict: false });

/** What `--json` prints: the whole output of the operation, or the items of a list in it, each in a line or all in one. */
type Form = "whole" | { readonly itemsOf: string } | "items";

interface Schema {
  readonly $defs: Readonly<Record<string, object>>;
}

function fits(operation: string, form: Form, values: readonly unknown[]): string {
  const file = join(ROOT, "schemas", "operations", `${operation}.schema.json`);
  const schema = JSON.parse(readFileSync(file, "utf8")) as Schema;
  const list = form === "whole" ? "" : form === "items" ? "" : `/properties/${form.itemsOf}`;
  const place = `#/$defs/output${form === "whole" ? "" : `${list}/items`}`;
  const check = ajv.compile({ ...schema, $ref: place });
  const wrong = values.filter((value) => !check(value));
  return wrong.length === 0 ? "" : `${JSON.stringify(wrong[0])}: ${ajv.errorsText(check.errors)}`;
}

function printed(args: readonly string[], form: Form): readonly unknown[] {
  const { out, err, code } = here.unstuckWith({ CLAUDECODE: "" }, ...args, "--json");
  assert.ok(
    code !== null && !/unexpected error|unknown option/.test(err),
    `${args.join(" ")}: ${err}`,
  );
  const lines = out
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "");
  const values = lines.map((line) => JSON.parse(line) as unknown);
  return form === "whole" ? values : values.flat();
}

const agent = here.agent({
  goal: [
    { error: "Error: the gate said no to us", exit: 1 },
    { error: "Error: the gate said no to us", exit: 1 },
    { write: { "value.txt": "2\n" }, print: "done" },
  ],
});
const goal = ["--goal", "make it 2", "--agent", agent, "--check", "sh check.sh", "--no-grounding"];

const AFTER_START: readonly (readonly [string, string, Form])[] = [
  ["status", "list", "whole"],
  ["status RUN", "read", "whole"],
  ["explain", "explain", { itemsOf: "decisions" }],
  ["report", "report", "whole"],
  ["metrics", "metrics", "whole"],
  ["export", "export", "whole"],
  ["inbox", "inbox", { itemsOf: "questions" }],
  ["review", "review", "items"],
  ["resolve goal/c1 --skip", "answer", "whole"],
  ["diff", "diff", "whole"],
  ["stop", "stop", "whole"],
  ["cancel RUN", "cancel", "whole"],
  ["resume --all", "resume-all", "whole"],
];

const WITHOUT_A_RUN: readonly (readonly [string, string, Form])[] = [
  ["init --print", "init", "whole"],
  ["doctor", "doctor", "whole"],
  ["policy show", "policy-show", "whole"],
  ["policy check wrong.yaml", "policy-check", "whole"],
  ["policy schema", "policy-schema", "whole"],
  ["service install --print", "service-install", "whole"],
  ["hook install claude --dry-run", "hook-install", "whole"],
  ["hook uninstall claude --dry-run", "hook-uninstall", "whole"],
  ["mcp questions", "agent-questions", "items"],
  ["classify wrong.yaml", "classify", "whole"],
  ["suggest wrong.yaml", "suggest", "whole"],
  ["excerpt wrong.yaml", "excerpt", "whole"],
  ["validate wrong.yaml", "validate", "whole"],
];

/** The lines of a command that tells a run as it goes on: all fit their schema, and only the last is the result. */
function told(
  ...args: readonly string[]
): Readonly<Record<string, unknown>> & { readonly code: number | null } {
  const { out, err, code } = here.unstuck(...args, "--json");
  const file = join(ROOT, "schemas", "run-line.schema.json");
  const check = ajv.compile(JSON.parse(readFileSync(file, "utf8")) as object);
  const lines = out.trimEnd().split("\n");
  const values = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  for (const value of values)
    assert.ok(check(value), `${JSON.stringify(value)}: ${ajv.errorsText(check.errors)}`);
  const results = values.filter(({ kind }) => kind === "result");
  assert.deepEqual(results, [values.at(-1)], err);
  return { ...results[0], code, events: values.length - 1 };
}

test("what --json prints fits the operation's schema in schemas/operations", () => {
  const started = told("run", ...goal);
  assert.deepEqual([started.code, started["end"]], [3, "needs-person"]);
  assert.ok(Number(started["events"]) > 5 && typeof started["card"] === "object");
  const { code, goesOn, events, run: followed } = told("attach");
  assert.deepEqual([code, goesOn, followed], [0, false, started["run"]]);
  assert.equal(events, started["events"], "it tells the run from its beginning");
  const [run = ""] = here.runs();
  writeFileSync(join(here.path, "wrong.yaml"), "nonsense: 1\n");
  for (const [line, operation, form] of [...AFTER_START, ...WITHOUT_A_RUN]) {
    const values = printed(line.replace("RUN", run).split(" "), form);
    const isFine = values.length > 0 || form !== "whole";
    assert.ok(isFine, `${line} printed nothing`);
    assert.equal(fits(operation, form, values), "", line);
  }
  const ended = told("resume", run);
  assert.deepEqual([ended.code, ended["end"], ended["events"]], [1, "failed", 0]);
});

test("a value of another shape does not fit", () => {
  assert.notEqual(fits("stop", "whole", [{ run: "x" }]), "");
  assert.notEqual(fits("list", { itemsOf: "runs" }, [{ id: 1 }]), "");
  assert.notEqual(fits("review", "items", ["question"]), "");
});

test("--json asks nobody: changing an agent's settings needs --yes or --dry-run", () => {
  const { code, err, out } = here.unstuck("hook", "install", "claude", "--json");
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, /--yes.*--dry-run/);
});
