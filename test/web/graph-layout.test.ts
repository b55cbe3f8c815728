// Where subtasks stand in the drawing: what must hold for every plan, and that 500 are placed at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { layoutGraph, NODE_HEIGHT, NODE_WIDTH } from "../../web/run/graph-layout.ts";

/** A plan: each subtask waits for some before it. */
const plan = fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 30 }).map((nodes) =>
  nodes.map((before, index) => ({
    id: `t${index}`,
    dependsOn: [...new Set(before.filter((other) => other < index))].map((other) => `t${other}`),
  })),
);

test("no two subtasks overlap, each stands right of what it waits for, and all are inside", () => {
  fc.assert(
    fc.property(plan, (nodes) => {
      const { nodes: placed, edges, width, height } = layoutGraph(nodes);
      assert.equal(placed.length, nodes.length);
      const at = new Map(placed.map((node) => [node.id, node]));
      for (const [index, a] of placed.entries()) {
        assert.ok(a.x >= 0 && a.y >= 0 && a.x + NODE_WIDTH <= width && a.y + NODE_HEIGHT <= height);
        for (const b of placed.slice(index + 1))
          assert.ok(Math.abs(a.x - b.x) >= NODE_WIDTH || Math.abs(a.y - b.y) >= NODE_HEIGHT);
      }
      for (const { from, to } of edges)
        assert.ok((at.get(from)?.x ?? 0) + NODE_WIDTH < (at.get(to)?.x ?? 0));
      assert.equal(
        edges.length,
        nodes.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0),
      );
    }),
  );
});

test("subtasks that have nothing to do with another take the room there is, and no more", () => {
  const lone = Array.from({ length: 7 }, (_, index) => ({ id: `t${index}`, dependsOn: [] }));
  for (const [width, columns] of [
    [100, 1],
    [308, 2],
    [558, 3],
    [1200, 7],
  ] as const) {
    const layout = layoutGraph(lone, width);
    assert.equal(new Set(layout.nodes.map(({ x }) => x)).size, columns, `${width} px`);
    assert.ok(layout.width <= Math.max(width, NODE_WIDTH));
  }
});

test("names that are no subtask, and circles, draw what can be drawn", () => {
  const { nodes, edges } = layoutGraph([
    { id: "a", dependsOn: ["b", "gone"] },
    { id: "b", dependsOn: ["a"] },
  ]);
  assert.equal(nodes.length, 2);
  assert.equal(edges.length, 2);
});

test("lines that need not cross do not", () => {
  const { nodes } = layoutGraph([
    { id: "a", dependsOn: [] },
    { id: "b", dependsOn: [] },
    { id: "after-b", dependsOn: ["b"] },
    { id: "after-a", dependsOn: ["a"] },
  ]);
  const y = (id: string): number => nodes.find((node) => node.id === id)?.y ?? 0;
  assert.equal(Math.sign(y("a") - y("b")), Math.sign(y("after-a") - y("after-b")));
});
