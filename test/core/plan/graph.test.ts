// proves: B5, E10
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { planGraph, transitiveDependents } from "../../../src/core/plan/graph.ts";

const node = (id: string, ...dependsOn: string[]): { id: string; dependsOn: string[] } => ({
  id,
  dependsOn,
});

function graphOf(...nodes: { id: string; dependsOn: string[] }[]) {
  const reading = planGraph(nodes);
  assert.ok(reading.ok);
  return reading.graph;
}

test("independence is transitive: a dependent of a dependent is not independent", () => {
  const graph = graphOf(node("a"), node("b", "a"), node("c", "b"), node("d"));
  assert.deepEqual(transitiveDependents(graph, "a"), [1, 2]);
  assert.deepEqual(transitiveDependents(graph, "b"), [2]);
  assert.deepEqual(transitiveDependents(graph, "d"), []);
  assert.deepEqual(transitiveDependents(graph, "nobody"), []);
});

test("a diamond is visited once", () => {
  const graph = graphOf(node("a"), node("b", "a"), node("c", "a"), node("d", "b", "c", "b"));
  assert.deepEqual(transitiveDependents(graph, "a"), [1, 2, 3]);
  assert.deepEqual(graph.dependents, [[1, 2], [3], [3], []]);
});

test("duplicates, unknown names and cycles are named", () => {
  assert.deepEqual(planGraph([node("a"), node("a")]), {
    ok: false,
    problems: [{ kind: "duplicate", id: "a" }],
  });
  assert.deepEqual(planGraph([node("a", "x")]), {
    ok: false,
    problems: [{ kind: "unknown-dependency", id: "a", dependsOn: "x" }],
  });
  assert.deepEqual(
    planGraph([node("z"), node("p", "z", "r"), node("q", "p"), node("r", "q"), node("s", "r")]),
    {
      ok: false,
      problems: [{ kind: "cycle", ids: ["p", "r", "q"] }],
    },
  );
  assert.deepEqual(planGraph([node("self", "self")]), {
    ok: false,
    problems: [{ kind: "cycle", ids: ["self"] }],
  });
});

test("any plan whose subtasks depend only on earlier ones is accepted, and dependents come later", () => {
  const plans = fc
    .array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 40 })
    .map((rows) =>
      rows.map((row, index) =>
        node(`s${index}`, ...row.map((n) => `s${n % (index || 1)}`).filter(() => index > 0)),
      ),
    );
  fc.assert(
    fc.property(plans, (nodes) => {
      const graph = graphOf(...nodes);
      for (const [index, { id }] of nodes.entries()) {
        const after = transitiveDependents(graph, id);
        assert.ok(after.every((other) => other > index));
        for (const other of after) {
          const direct = nodes[other]?.dependsOn ?? [];
          assert.ok(
            direct.includes(id) || direct.some((name) => after.includes(Number(name.slice(1)))),
          );
        }
      }
    }),
  );
});
