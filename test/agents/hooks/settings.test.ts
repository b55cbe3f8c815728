import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse, type ParseError } from "jsonc-parser";
import { hooksOf } from "../../../src/agents/registry.ts";
import { installChange, uninstallChange } from "../../../src/agents/hooks/hook-change.ts";
import type { HookChange } from "../../../src/agents/hooks/hook-change.ts";
import { isHookCommand } from "../../../src/agents/hooks/hook-target.ts";
import type { HookTarget, TargetPlace } from "../../../src/agents/hooks/hook-target.ts";

const hookTarget = (agent: string, place: TargetPlace): HookTarget => {
  const target = hooksOf(agent)?.target(place);
  assert.ok(target !== undefined, agent);
  return target;
};
const isOurs = isHookCommand("claude");
const TARGET: HookTarget = hookTarget("claude", { home: "/h", cwd: "/w", project: false, env: {} });

function changed(change: HookChange): Extract<HookChange, { kind: "change" }> {
  assert.ok(change.kind === "change", JSON.stringify(change));
  return change;
}

/** Comments and commas away, as a reader of such files does it. */
function plain(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\ufeff/, ""), errors, { allowTrailingComma: true });
  assert.deepEqual(errors, []);
  return value;
}

const FILES: readonly string[] = [
  "{}",
  "{}\n",
  "{ }",
  "{\n}\n",
  '{"a":1}',
  '{ // mine\n  "a": 1, // one\n  /* two */ "b": [1, 2,],\n}\n',
  '{\n\t"a": {\n\t\t"b": "// no comment"\n\t}\n}\n',
  '{\r\n  "a": 1\r\n}\r\n',
  '\ufeff{ "a": 1 }\n',
  '{"hooks":{}}',
  '{ "hooks": { } /* none */ }',
  '{\n  "hooks": {\n    "Stop": []\n  }\n}\n',
  '{\n  "hooks": {\n    "Stop": [ // mine\n      { "hooks": [{ "type": "command", "command": "x" }] } // last\n    ]\n  }, // end\n}\n',
  '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[]}]},"z":"}\\"{"}',
];

test("put in and taken out, the file is as it was, to the byte", () => {
  for (const text of FILES) {
    const { after, pieces } = changed(installChange(TARGET, text, isOurs));
    assert.ok(after !== undefined && after !== text);
    const before = plain(text) as Record<string, unknown>;
    const now = plain(after) as Record<string, Record<string, unknown[]>>;
    for (const event of Object.keys((TARGET as { entries: object }).entries)) {
      const old = ((before["hooks"] ?? {}) as Record<string, unknown[]>)[event] ?? [];
      assert.equal(now["hooks"]?.[event]?.length, old.length + 1, event);
    }
    for (const [key, value] of Object.entries(before))
      if (key !== "hooks") assert.deepEqual(now[key], value);
    assert.deepEqual(installChange(TARGET, after, isOurs), { kind: "nothing" });
    const installed = { pieces, created: false };
    assert.equal(changed(uninstallChange(TARGET, after, installed, isOurs)).after, text);
  }
});

test("any JSON object survives the round trip, also edited elsewhere meanwhile", () => {
  const object = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), {
    maxKeys: 5,
  });
  const space = fc.constantFrom(undefined, 2, "\t");
  fc.assert(
    fc.property(object, space, (value, indent) => {
      delete value["hooks"];
      const text = JSON.stringify(value, null, indent);
      const { after = "", pieces } = changed(installChange(TARGET, text, isOurs));
      const edited = (whole: string): string => `${whole}\n// a note of the user\n`;
      const installed = { pieces, created: false };
      const back = changed(uninstallChange(TARGET, edited(after), installed, isOurs));
      assert.equal(back.after, edited(text));
    }),
    { numRuns: 200 },
  );
});

test("rewritten by somebody else since, only our entries go", () => {
  for (const text of FILES) {
    const { after = "" } = changed(installChange(TARGET, text, isOurs));
    const now = plain(after) as Record<string, Record<string, unknown[]>>;
    now["hooks"]?.["Stop"]?.push({ hooks: [{ type: "command", command: "echo mine" }] });
    const rewritten = JSON.stringify({ ...now, later: [1] }, null, 4);
    const back = changed(uninstallChange(TARGET, rewritten, undefined, isOurs)).after ?? "";
    assert.ok(!back.includes("unstuck"), back);
    const left = plain(back) as Record<string, Record<string, unknown[]>>;
    assert.deepEqual(left["hooks"]?.["Stop"]?.at(-1), {
      hooks: [{ type: "command", command: "echo mine" }],
    });
    assert.deepEqual(left["later"], [1]);
  }
});

test("what is not what it should be is refused, with its place", () => {
  const problems: readonly (readonly [string, RegExp])[] = [
    ["{", /line 1/],
    ['{\n  "a" 1\n}', /line 2: expected a colon/],
    ["[]", /expected an object/],
    ['{"hooks": []}', /`hooks` to be an object/],
    ['{"hooks": {"Stop": {}}}', /`hooks.Stop` to be a list/],
    ['{"a": 1} x', /behind the end/],
    ["/* no end", /a comment has no end/],
    ['{"a": "b\n"}', /a string has no end/],
    [`${"[".repeat(5000)}`, /nested too deep/],
    ['{"a": 1 "b": 2}', /expected a comma/],
  ];
  for (const [text, problem] of problems) {
    const change = installChange(TARGET, text, isOurs);
    assert.equal(change.kind, "refused", text.slice(0, 30));
    assert.match(change.kind === "refused" ? change.problem : "", problem);
    assert.equal(uninstallChange(TARGET, text, undefined, isOurs).kind, "nothing");
  }
});

test("a file that was not there is made, and is gone again", () => {
  const { after = "", pieces, before } = changed(installChange(TARGET, undefined, isOurs));
  assert.equal(before, undefined);
  assert.ok(typeof plain(after) === "object");
  const gone = changed(uninstallChange(TARGET, after, { pieces, created: true }, isOurs));
  assert.equal(gone.after, undefined);
  const emptied = changed(uninstallChange(TARGET, after, { pieces, created: false }, isOurs));
  assert.equal(emptied.after, "");
});

test("TOML: a block at the end, taken out to the byte, with or without a record", () => {
  const hooks = [{ event: "Stop", command: 'a "quoted" one', timeout: 5 }];
  const target: HookTarget = { form: "toml", file: "config.toml", hooks };
  for (const text of [
    "",
    'model = "x" # mine\n',
    "[a]\r\nb = 1\r\n",
    'c = """\nno newline at end"""',
  ]) {
    const { after = "", pieces } = changed(installChange(target, text, isOurs));
    assert.ok(after.startsWith(text));
    assert.match(after, /\[\[hooks\.Stop\]\]\r?\n\[\[hooks\.Stop\.hooks\]\]/);
    assert.match(after, /command = "a \\"quoted\\" one"/);
    assert.deepEqual(installChange(target, after, isOurs), { kind: "nothing" });
    const exact = uninstallChange(target, after, { pieces, created: false }, isOurs);
    assert.equal(changed(exact).after, text);
    const byMarks = changed(uninstallChange(target, after, undefined, isOurs));
    assert.equal(byMarks.after?.trimEnd(), text.trimEnd());
  }
});

test("a plugin file that somebody changed is not touched", () => {
  const target = hookTarget("opencode", { home: "/h", cwd: "/w", project: true, env: {} });
  assert.equal(target.file, "/w/.opencode/plugin/unstuck.js");
  assert.equal(installChange(target, "export const Other = 1", isOurs).kind, "refused");
  assert.equal(
    uninstallChange(target, "export const Other = 1", undefined, isOurs).kind,
    "refused",
  );
  const { after } = changed(installChange(target, undefined, isOurs));
  assert.equal(changed(uninstallChange(target, after, undefined, isOurs)).after, undefined);
});

test("where each agent keeps its settings", () => {
  const at = (agent: string, env: Record<string, string> = {}): string =>
    hookTarget(agent, { home: "/h", cwd: "/w", project: false, env }).file;
  assert.equal(at("claude"), "/h/.claude/settings.json");
  assert.equal(at("claude", { CLAUDE_CONFIG_DIR: "/c" }), "/c/settings.json");
  assert.equal(at("codex"), "/h/.codex/hooks.json");
  assert.equal(at("codex", { CODEX_HOME: "/x" }), "/x/hooks.json");
  assert.equal(at("gemini"), "/h/.gemini/settings.json");
  assert.equal(at("opencode", { XDG_CONFIG_HOME: "/g" }), "/g/opencode/plugin/unstuck.js");
  assert.equal(at("pi"), "/h/.pi/agent/extensions/unstuck.ts");
});

test("comments stay on the lines they were on", () => {
  const text =
    '{ // mine\n  "a": 1, // one\n  "hooks": { // two\n    "Stop": [] /* three */\n  }\n}\n';
  const { after = "" } = changed(installChange(TARGET, text, isOurs));
  for (const line of ["{ // mine", '  "a": 1, // one', '  "hooks": { // two'])
    assert.ok(after.split("\n").includes(line), line);
  assert.match(after, /\] \/\* three \*\/\n/);
});

test("ours at the end of a list goes with the comma before it", () => {
  const ours = JSON.stringify({ hooks: [{ type: "command", command: "unstuck hook claude" }] });
  const mine = JSON.stringify({ hooks: [{ type: "command", command: "echo mine" }] });
  for (const [text, left] of [
    [`{"hooks":{"Stop":[${mine}, ${ours}]}}`, { hooks: { Stop: [JSON.parse(mine) as unknown] } }],
    [`{"hooks":{"A":[${mine}],"Stop":[${ours}]}}`, { hooks: { A: [JSON.parse(mine) as unknown] } }],
    [`{"a":1,\n "hooks":{"Stop":[${ours}]}\n}`, { a: 1 }],
    [`{"hooks":{"Stop":[${ours}]}}`, {}],
  ] as const) {
    const { after = "" } = changed(uninstallChange(TARGET, text, undefined, isOurs));
    assert.deepEqual(JSON.parse(after), left, "strict JSON stays strict JSON");
  }
});
