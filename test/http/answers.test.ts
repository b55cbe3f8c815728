// A long list that is sent again and again is the JSON that it would be without any of it kept.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cachedListJson } from "../../src/http/answers.ts";

interface Row {
  readonly id: number;
  readonly text: string;
}

test("whatever comes, goes or changes in a list: the answer is its JSON, and as long as it says", async () => {
  const answer = cachedListJson("runs");
  const same = async (runs: readonly Row[], more: object = { all: true, ä: "é" }) => {
    const response = answer({ runs, ...more });
    const text = await response.text();
    assert.equal(text, JSON.stringify({ runs, ...more }));
    const length = response.headers.get("content-length");
    if (length !== null) assert.equal(Number(length), Buffer.byteLength(text));
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
  };
  const row = (id: number, text = "wörter"): Row => ({ id, text });
  const rows = Array.from({ length: 700 }, (_, id) => row(id));
  await same(rows);
  await same(rows);
  await same([row(-1), ...rows]);
  await same([...rows.slice(0, 300), row(300, "changed"), ...rows.slice(301)]);
  await same(rows.slice(1), {});
  await same(rows.toReversed());
  await same([]);
  await same(rows.slice(0, 3));
  // So long that it is sent in pieces.
  await same(rows.map(({ id }) => row(id, "x".repeat(3000))));
});
