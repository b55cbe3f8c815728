import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { frameTimer } from "../../../src/cli/screen/run-screen.ts";

test("many changes are one frame; the next comes no sooner; after the stop none", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let drawn = 0;
    const frames = frameTimer(() => (drawn += 1));
    for (let change = 0; change < 50; change += 1) frames.soon();
    assert.equal(drawn, 0);
    mock.timers.tick(120);
    assert.equal(drawn, 1);
    mock.timers.tick(1000);
    assert.equal(drawn, 1, "nothing changed");
    frames.soon();
    mock.timers.tick(119);
    assert.equal(drawn, 1);
    frames.soon();
    frames.stop();
    frames.soon();
    mock.timers.tick(10_000);
    assert.equal(drawn, 1);
    const idle = frameTimer(() => (drawn += 1));
    idle.stop();
    idle.soon();
    mock.timers.tick(10_000);
    assert.equal(drawn, 1);
  } finally {
    mock.timers.reset();
  }
});
