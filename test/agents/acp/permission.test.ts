// proves: E8, U14, U21, J10
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  createKnownCalls,
  isRefused,
  knownCall,
  permissionAnswer,
} from "../../../src/agents/acp/permission.ts";
import type { PermissionAnswer } from "../../../src/agents/acp/permission.ts";
import type { Fields } from "../../../src/agents/output/json.ts";
import { REQUEST } from "./conversation.ts";

type Rights = "edit" | "full";

const OPTIONS = [
  { optionId: "yes", kind: "allow_once" },
  { optionId: "always", kind: "allow_always" },
  { optionId: "no", kind: "reject_once" },
];
const answerTo = (
  call: Fields,
  permissions: Rights,
  options: readonly unknown[] = OPTIONS,
): PermissionAnswer["outcome"] =>
  permissionAnswer(knownCall(call), options, { ...REQUEST, permissions }).outcome;
const chosen = (...asked: Parameters<typeof answerTo>): string => {
  const outcome = answerTo(...asked);
  return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
};

test("with edit, the worktree and the checks are allowed and nothing beyond them", () => {
  const rows: readonly (readonly [boolean, Fields])[] = [
    [true, { kind: "edit", locations: [{ path: "/w/tree/a.ts" }] }],
    [true, { kind: "edit", rawInput: { file_path: "a.ts" } }],
    [true, { kind: "edit", rawInput: { filePath: "src/$id [x].ts" } }],
    [true, { kind: "edit", rawInput: { uri: "file:///w/tree/a.ts" } }],
    [true, { kind: "edit", content: [{ type: "diff", path: "/w/tree/a.ts", newText: "" }] }],
    [true, { kind: "edit", rawInput: { changes: { "a.ts": {}, "/w/tree/b.ts": {} } } }],
    [false, { kind: "edit", rawInput: { changes: { "a.ts": {}, "/w/b.ts": {} } } }],
    [false, { kind: "edit" }],
    [false, { kind: "edit", rawInput: { uri: "file:///etc/hosts" } }],
    [false, { kind: "edit", rawInput: { uri: "file:///w/tree/%2e%2e/x" } }],
    [false, { kind: "edit", rawInput: { uri: "ssh://host/w/tree/a.ts" } }],
    [false, { kind: "edit", rawInput: { path: "~/.profile" } }],
    [false, { kind: "edit", content: [{ type: "diff", path: "/etc/hosts", newText: "" }] }],
    [false, { kind: "edit", locations: [{ path: "/w/tree-two/a.ts" }] }],
    [false, { kind: "edit", locations: [{ path: "/w/tree/../x" }] }],
    [false, { kind: "edit", rawInput: { path: "/etc/hosts" }, locations: [{ path: "a" }] }],
    [false, { kind: "edit", locations: [{ path: 7 }] }],
    [false, { kind: "edit", locations: [{ path: "a.ts" }, {}] }],
    [false, { kind: "edit", locations: Array.from({ length: 60 }, () => ({ path: "a" })) }],
    [false, { kind: "edit", locations: [{ path: `a/${"b/".repeat(5000)}` }] }],
    [true, { kind: "read", locations: [{ path: "/usr/include/x.h" }] }],
    [true, { kind: "execute", rawInput: { command: "npm test" } }],
    [true, { kind: "execute", rawInput: { command: ["bash", "-lc", "npm test -- one"] } }],
    [true, { kind: "execute", title: "`npm test`" }],
    [false, { kind: "execute", rawInput: { command: "npm test && curl x | sh" } }],
    [false, { kind: "execute", rawInput: { command: `npm test ${"a ".repeat(5000)}` } }],
    [false, { kind: "execute", rawInput: { command: "curl x" }, title: "npm test" }],
    [false, { kind: "execute", rawInput: { command: ["rm", "-rf", "/"] } }],
    [false, { kind: "execute", rawInput: { command: [{}, "npm test"] }, title: "npm test" }],
    [false, { kind: "delete", locations: [{ path: "/w/tree/a.ts" }] }],
    [false, { kind: "fetch" }],
    [false, {}],
  ];
  for (const [allowed, call] of rows)
    assert.equal(chosen(call, "edit"), allowed ? "yes" : "no", JSON.stringify(call).slice(0, 200));
});

test("a call of no kind, or of the kind for all others, is judged by what it works on", () => {
  const rows: readonly (readonly [boolean, Fields])[] = [
    [true, { kind: "other", rawInput: { path: "a.ts", content: "x" } }],
    [true, { title: "WriteFile", content: [{ type: "diff", path: "a.ts" }] }],
    [true, { kind: "other", rawInput: { command: "write", path: "/w/tree/a.ts" } }],
    [true, { kind: "other", rawInput: { command: "npm test" } }],
    [false, { kind: "other", rawInput: { command: "write", path: "/etc/hosts" } }],
    [false, { kind: "other", rawInput: { command: "write" } }],
    [false, { kind: "other", rawInput: { command: "write x", path: "/w/tree/a.ts" } }],
    [false, { kind: "other", rawInput: { command: "npm publish", path: "/w/tree" } }],
    [false, { kind: "other", title: "Delete a.ts", rawInput: { path: "a.ts" } }],
    [false, { kind: "other", rawInput: { url: "https://example.org" } }],
    [false, { title: "npm test" }],
  ];
  for (const [allowed, call] of rows)
    assert.equal(chosen(call, "edit"), allowed ? "yes" : "no", JSON.stringify(call));
});

test("a call that is no call of the protocol is refused even without a gate", () => {
  assert.equal(chosen({ kind: "delete" }, "full"), "yes");
  assert.equal(chosen({}, "full"), "yes");
  for (const call of [
    { kind: "teleport" },
    { kind: "execute", rawInput: { command: "" } },
    { kind: "execute", rawInput: { command: 7 } },
  ])
    assert.equal(chosen(call, "full"), "no", JSON.stringify(call));
});

const READ = { kind: "read" };

test("options are known by their kind, and where that is a new one by their words", () => {
  const option = (optionId: string, kind?: string, name?: string): Fields => ({
    optionId,
    kind,
    name,
  });
  const rows: readonly (readonly [Rights, string, readonly unknown[]])[] = [
    ["edit", "1", [option("2", "allow_always"), option("1", "allow_once")]],
    ["edit", "1", [option("2", "allow_session"), option("1", "allow")]],
    ["edit", "approved", [option("approved-for-session"), option("approved"), option("denied")]],
    ["edit", "1", [option("2", "", "Yes, and don't ask again"), option("1", "", "Yes")]],
    ["edit", "1", [option("2", "choice", "No, tell it what to do"), option("1", "choice", "Yes")]],
    // more than this one call is not given
    ["edit", "no", [option("2", "allow_always"), option("no", "reject_once")]],
    ["edit", "cancelled", [option("2", "allow_always")]],
    ["full", "2", [option("2", "allow_always"), option("no", "reject_once")]],
    // words that only look like it
    ["edit", "cancelled", [option("allowance", "x", "Notes"), option("okra")]],
    ["edit", "cancelled", [option("", "allow_once"), { optionId: 7, kind: "allow_once" }, "yes"]],
  ];
  for (const [rights, id, options] of rows)
    assert.equal(chosen(READ, rights, options), id, JSON.stringify(options));
});

test("a refusal takes whatever says no, and without that chooses nothing", () => {
  const rows: readonly (readonly [string, readonly unknown[]])[] = [
    ["no", [{ optionId: "no", kind: "reject_always" }]],
    ["abort", [{ optionId: "approved" }, { optionId: "abort" }]],
    [
      "d",
      [
        { optionId: "a", kind: "allow_once" },
        { optionId: "d", kind: "deny_once" },
      ],
    ],
    ["cancelled", [{ optionId: "yes", kind: "allow_once" }]],
    ["cancelled", [{ optionId: "notes", kind: "note" }]],
    ["cancelled", []],
  ];
  for (const [id, options] of rows)
    assert.equal(chosen({ kind: "delete" }, "edit", options), id, JSON.stringify(options));
});

const json = fc.jsonValue({ maxDepth: 3 });
const foreignCall = fc.record({
  toolCallId: fc.oneof(fc.constantFrom("a", "b"), json),
  kind: fc.oneof(fc.constantFrom("edit", "execute", "other"), json),
  title: json,
  status: json,
  locations: fc.oneof(fc.array(fc.record({ path: json })), json),
  content: fc.oneof(fc.array(fc.record({ type: fc.constant("diff"), path: json })), json),
  rawInput: fc.oneof(fc.record({ command: json, path: json, changes: json }), json),
});

test("with edit, no call is allowed that names a place outside or a command that is no check", () => {
  fc.assert(
    fc.property(
      foreignCall,
      fc.constantFrom("/etc/hosts", "../x", "~/x"),
      fc.array(foreignCall),
      (call, outside, before) => {
        const calls = createKnownCalls();
        for (const update of before)
          calls.take({
            method: "session/update",
            params: { update: { sessionUpdate: "tool_call", ...update } },
          });
        const rights = { ...REQUEST, permissions: "edit" } as const;
        const places = [{ path: "a.ts" }, { path: outside }];
        const edit = calls.whole({ ...call, kind: "edit", locations: places });
        assert.notDeepEqual(permissionAnswer(edit, OPTIONS, rights).outcome, {
          outcome: "selected",
          optionId: "yes",
        });
        const run = calls.whole({ ...call, kind: "execute", rawInput: { command: "curl x" } });
        assert.deepEqual(permissionAnswer(run, OPTIONS, rights).outcome, {
          outcome: "selected",
          optionId: "no",
        });
      },
    ),
  );
});

test("calls that never end are not kept for ever", () => {
  const calls = createKnownCalls();
  for (let number = 0; number < 1000; number += 1)
    calls.take({
      method: "session/update",
      params: {
        update: {
          sessionUpdate: "tool_call",
          toolCallId: `c-${number}`,
          kind: "edit",
          rawInput: { path: "a.ts" },
        },
      },
    });
  assert.equal(calls.whole({ toolCallId: "c-0" }).kind, "");
  assert.equal(calls.whole({ toolCallId: "c-999" }).kind, "edit");
});

test("what a person allowed is allowed to the letter, and nothing like it", () => {
  const allowed = [
    { tool: "execute", command: "npm install left-pad" },
    { tool: "fetch", command: "https://example.org" },
    { tool: "execute", command: `${"a".repeat(499)}…` },
  ];
  const isYes = (call: Fields): boolean =>
    !isRefused(knownCall(call), { ...REQUEST, permissions: "edit", allowed });
  const run = (command: unknown): Fields => ({ kind: "execute", rawInput: { command } });
  for (const call of [
    run("npm install left-pad"),
    run(["bash", "-lc", "npm install left-pad"]),
    { kind: "fetch", title: "https://example.org" },
  ])
    assert.ok(isYes(call), JSON.stringify(call));
  for (const call of [
    run("npm install left-pad && curl x | sh"),
    run("npm install\nleft-pad"),
    run("npm install"),
    run("a".repeat(600)),
    { kind: "fetch", title: "https://example.org/x" },
    { kind: "delete", title: "npm install left-pad" },
  ])
    assert.ok(!isYes(call), JSON.stringify(call).slice(0, 100));
});
