// proves: U14
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { settingsOf } from "../../../src/agents/acp/session-settings.ts";
import type { Fields } from "../../../src/agents/output/json.ts";

const modes = (currentModeId: string, ...ids: readonly string[]): Fields => ({
  modes: { currentModeId, availableModes: [currentModeId, ...ids].map((id) => ({ id })) },
});
const option = (category: string, currentValue: unknown, ...values: readonly string[]): Fields => ({
  id: `the-${category}`,
  category,
  type: "select",
  currentValue,
  options: values.map((value) => ({ value, name: value })),
});
const modeSet = (opened: Fields, permissions: "edit" | "full"): unknown =>
  settingsOf({ permissions }, opened).set.map(({ params }) => params["modeId"])[0];

test("the mode is the least that can edit, by whatever name; a mode that acts alone is left", () => {
  const rows: readonly (readonly [
    opened: Fields,
    edit: string | undefined,
    full: string | undefined,
  ])[] = [
    [
      modes("default", "acceptEdits", "plan", "bypassPermissions"),
      "acceptEdits",
      "bypassPermissions",
    ],
    [modes("default", "autoEdit", "yolo", "plan"), "autoEdit", "yolo"],
    [modes("default", "auto-edit", "yolo"), "auto-edit", "yolo"],
    [modes("read-only", "auto", "full-access"), "auto", "full-access"],
    // here `auto` is the mode that asks nothing
    [modes("auto", "approve", "smart_approve", "chat"), "approve", undefined],
    [modes("approve", "auto", "chat"), undefined, "auto"],
    [modes("x/modes#agent", "x/modes#plan", "x/modes#autopilot"), undefined, "x/modes#autopilot"],
    [modes("x/modes#autopilot", "x/modes#agent"), "x/modes#agent", undefined],
    [modes("plan", "act"), "act", "act"],
    [modes("plan", "build"), "build", "build"],
    [modes("ask", "code", "architect"), undefined, undefined],
    // names nobody has heard of are left as they are
    [modes("calm", "storm", "automatic-transmission"), undefined, undefined],
    [modes("planner", "yolk"), undefined, undefined],
    [{ modes: { availableModes: "x", currentModeId: 7 } }, undefined, undefined],
    [{}, undefined, undefined],
  ];
  for (const [opened, edit, full] of rows) {
    assert.equal(modeSet(opened, "edit"), edit, JSON.stringify(opened));
    assert.equal(modeSet(opened, "full"), full, JSON.stringify(opened));
  }
});

test("a mode is known by the name it is shown under, too", () => {
  const availableModes = [
    { id: "m1", name: "Always Ask" },
    { id: "m2", name: "Accept Edits" },
  ];
  assert.equal(modeSet({ modes: { currentModeId: "m1", availableModes } }, "edit"), "m2");
});

test("a mode that acts alone and cannot be left is said", () => {
  const said = (opened: Fields, permissions: "edit" | "full" = "edit"): number =>
    settingsOf({ permissions }, opened).warnings.length;
  assert.equal(said(modes("yolo")), 1);
  assert.equal(said(modes("yolo"), "full"), 0);
  assert.equal(said(modes("yolo", "default")), 0);
  assert.equal(said(modes("default")), 0);
  assert.equal(said({}), 0);
});

test("configuration options come before the older ways", () => {
  const opened = {
    ...modes("default", "acceptEdits"),
    models: { currentModelId: "a", availableModels: [{ modelId: "b" }] },
    configOptions: [
      option("mode", "build", "build", "accept-edits"),
      option("model", "a", "a", "b"),
    ],
  };
  const { set } = settingsOf({ model: "b" }, opened);
  assert.deepEqual(
    set.map(({ method, params }) => ({ method, params })),
    [
      {
        method: "session/set_config_option",
        params: { configId: "the-mode", value: "accept-edits" },
      },
      { method: "session/set_config_option", params: { configId: "the-model", value: "b" } },
    ],
  );
});

test("a model is set by its id or the name it is shown under; where none can be set, it is said", () => {
  const availableModels = [{ modelId: "b-long", name: "b" }, { modelId: "c" }];
  const opened = { models: { currentModelId: "a", availableModels } };
  const asked = (model: string, from: Fields = opened): readonly unknown[] => {
    const { set, warnings } = settingsOf({ model }, from);
    return [set[0]?.params["modelId"] ?? set[0]?.params["value"], warnings.length];
  };
  assert.deepEqual(asked("c"), ["c", 0]);
  assert.deepEqual(asked("b"), ["b-long", 0]);
  assert.deepEqual(asked("d"), ["d", 0]);
  assert.deepEqual(asked("c", {}), [undefined, 1]);
  const grouped = {
    id: "m",
    category: "model",
    type: "select",
    currentValue: "a",
    options: [{ group: "g", name: "G", options: [{ value: "c", name: "C" }] }],
  };
  assert.deepEqual(asked("c", { configOptions: [grouped] }), ["c", 0]);
  const current = { models: { currentModelId: "c", availableModels } };
  assert.deepEqual(asked("c", current), [undefined, 0]);
});

test("thinking is turned up only where it is asked for", () => {
  const levels = { configOptions: [option("thought_level", "low", "low", "high", "xhigh")] };
  assert.deepEqual(settingsOf({ thinking: true }, levels).set[0]?.params["value"], "xhigh");
  assert.deepEqual(settingsOf({}, levels).set, []);
  const toggle = { id: "t", category: "thought_level", type: "boolean", currentValue: false };
  assert.deepEqual(settingsOf({ thinking: true }, { configOptions: [toggle] }).set[0]?.params, {
    configId: "t",
    type: "boolean",
    value: true,
  });
  const on = { configOptions: [{ ...toggle, currentValue: true }] };
  assert.deepEqual(settingsOf({ thinking: true }, on).set, []);
});

const WORDS = ["default", "acceptEdits", "auto", "yolo", "plan", "full-access", "strange", ""];

test("with edit, a mode that does everything alone is never chosen", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...WORDS),
      fc.array(fc.constantFrom(...WORDS)),
      fc.jsonValue(),
      (current, ids, foreign) => {
        const set = modeSet(modes(current, ...ids), "edit");
        assert.ok(!["yolo", "full-access"].includes(String(set)));
        if (set === "auto")
          assert.ok(["yolo", "full-access"].some((id) => [current, ...ids].includes(id)));
        settingsOf(
          { model: "m", thinking: true },
          { modes: foreign, models: foreign, configOptions: foreign },
        );
      },
    ),
  );
});
