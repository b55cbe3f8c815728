// proves: C8, U8
// What a person's time costs, in a plan and in the user's settings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ADAPTIVE } from "../../../src/core/adaptive/policy-data.ts";
import { readPolicy } from "../../../src/core/policy/read.ts";
import { withPersonSettings } from "../../../src/core/policy/person-settings.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";

const NIGHT = "22:00-07:00";

test("the plan's settings win over the user's, and a ladder has none", () => {
  const both = [{ price: 30, quietHours: NIGHT }, { price: 5 }];
  assert.deepEqual(withPersonSettings(ADAPTIVE, both), {
    ...{ ...ADAPTIVE, personPrice: 5, quietHours: NIGHT },
  });
  assert.deepEqual(withPersonSettings(ADAPTIVE, [undefined, undefined]), ADAPTIVE);
  assert.equal(withPersonSettings(PRESETS.standard, both), PRESETS.standard);
});

test("a policy file may have them, in that form only", () => {
  const read = (hours: string) => readPolicy(`extends: adaptive\nquietHours: "${hours}"\n`);
  assert.equal(read(NIGHT).ok, true);
  for (const wrong of ["22-7", "22:00", "24:00-07:00", "22:60-07:00", "22:00-07:00 "])
    assert.equal(read(wrong).ok, false, wrong);
});
