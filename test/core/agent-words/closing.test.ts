// proves: J27
import assert from "node:assert/strict";
import { test } from "node:test";
import { closingOf, type Closing } from "../../../src/core/agent-words/closing.ts";

const CLOSINGS: Readonly<Record<string, readonly [string, Closing | undefined]>> = {
  "it says nothing": ["", undefined],
  "it is done": ["Added the endpoint and its test.", "done"],
  "it could not": ["I fixed the parser. I could not get the last case to work.", "unable"],
  "it stopped": ["Two rules fit the text, so I stopped here.", "unable"],
  "it left something open": ["The parser is in place. I left the rounding rule open.", "unable"],
  "it does not know": ["I do not know the address of the test server.", "unable"],
  "nobody says": ["Nothing in the repository says which zone applies.", "unable"],
  "it is nowhere written": ["The retention period is not documented.", "unable"],
  "no access is given": ["No account for the sandbox is configured.", "unable"],
  "it cannot be done": ["Both formats at once are not possible.", "unable"],
  "it is blocked": ["I am blocked on the schema.", "unable"],
  // near misses
  "what it could not do, it did otherwise": [
    "I could not use the cache, so I added a map of my own.",
    "done",
  ],
  "what could not be done before works": [
    "Before, I could not reproduce it. With the new test it finally works and passes.",
    "done",
  ],
  "the code's own inability": ["The client cannot connect twice any more.", "done"],
  "what users cannot do": ["Users can no longer submit an empty form.", "done"],
  "in a code block": ["Done.\n\n```\nI could not do it\n```", "done"],
  "in a quotation": ["> I cannot go on\n\nThat message is gone now.", "done"],
};

for (const [name, [message, closing]] of Object.entries(CLOSINGS))
  test(`how an agent ends: ${name}`, () => assert.equal(closingOf(message, {}), closing));

test("what it asks or lacks is known already", () => {
  assert.equal(closingOf("Which port?", { asks: "Which port?" }), "asks");
  assert.equal(closingOf("x", { lacks: { kind: "disk_full" } }), "unable");
  assert.equal(closingOf("Which port?", { asks: "Which port?", lacks: {} }), "asks");
});

test("a long message is read in time", () => {
  const started = process.cpuUsage().user;
  closingOf("I left a b c d e f ".repeat(20_000), {});
  assert.ok(process.cpuUsage().user - started < 2_000_000);
});
