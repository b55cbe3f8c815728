import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "../../web/api/operations.ts";
import { pieceCollector } from "../../web/attempt/pieces.ts";

const of = { subtask: "a", attempt: 1 } as const;
const call = (title: string, id?: string): LogEntry => ({
  ...{ kind: "tool-call", ...of, tool: "Bash", title, input: title },
  ...(id === undefined ? {} : { id }),
});
const result = (text: string, id?: string): LogEntry => ({
  ...{ kind: "tool-result", ...of, text, bytes: 1, lines: 1, failed: false },
  ...(id === undefined ? {} : { id }),
});
const printed = (text: string): LogEntry => ({ kind: "output", ...of, text });

function collected(...batches: readonly (readonly LogEntry[])[]): readonly string[] {
  const collector = pieceCollector();
  for (const batch of batches) collector.add(batch);
  return collector.pieces.map(({ entry, result: of }) =>
    [entry.kind === "tool-call" ? entry.title : "text" in entry ? entry.text : "", of?.text ?? ""]
      .filter((part) => part !== "")
      .join(" -> "),
  );
}

test("a result joins its call by id, else the oldest that waits, also when it comes later", () => {
  assert.deepEqual(
    collected(
      [call("one", "1"), call("two", "2"), call("three"), call("four")],
      [result("of two", "2"), result("of three"), result("of one", "1"), result("of nobody", "9")],
    ),
    ["one -> of one", "two -> of two", "three -> of three", "four", "of nobody"],
  );
});

test("printed lines stand together up to a bound, and not across anything else", () => {
  assert.deepEqual(collected([printed("a"), printed("b")], [call("one"), printed("c")]), [
    ...["a\nb", "one", "c"],
  ]);
  const many = collected(Array.from({ length: 1000 }, (_, index) => printed(`line ${index}`)));
  assert.ok(many.length >= 10 && many.every((text) => text.split("\n").length <= 100));
  assert.equal(many.join("\n").split("\n").length, 1000);
  assert.equal(collected([printed("x".repeat(19_000)), printed("y".repeat(19_000))]).length, 2);
});
