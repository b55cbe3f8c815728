// The peer: LangGraph.js with its SQLite checkpointer does the same as Unstuck in bench/in-memory/run.ts. Each subtask
// is a thread of its own: attempt, check, check again, attempt, check, merge. Usage: node langgraph.js <subtasks>
// <durability> <synchronous> <database>, where <synchronous> is SQLite's pragma or `default`. Prints milliseconds and
// what was stored as JSON. Plain JavaScript, because its packages are not those of this checkout.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

const [subtasks, durability, asked, database] = process.argv.slice(2);

const State = Annotation.Root({
  id: Annotation(),
  attempt: Annotation(),
  round: Annotation(),
  passed: Annotation(),
  attempts: Annotation({ reducer: (old, more) => [...old, ...more], default: () => [] }),
  merged: Annotation(),
});

const line = "reading the sources and thinking about them; ";
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

async function attempt({ id, attempt }) {
  await nextTurn();
  const number = attempt + 1;
  const output = `<approach>way ${number}</approach> ${id}/${number} done. ${line.repeat(9)}`;
  return { attempt: number, round: 0, attempts: [{ number, output }] };
}

async function check({ id, attempt, round }) {
  const passed = attempt > 1;
  const evidence = { exitCode: 1, stdout: `not ok 1 - ${id} adds up\n  expected 2, got 1` };
  return { passed, round: round + 1, attempts: passed ? [] : [{ round, evidence }] };
}

const afterCheck = ({ passed, round }) => {
  if (passed) return "merge";
  return round < 2 ? "check" : "work";
};

const checkpointer = SqliteSaver.fromConnString(database);
const graph = new StateGraph(State)
  .addNode("work", attempt)
  .addNode("check", check)
  .addNode("merge", async ({ id, attempt }) => ({ merged: `${id}-${attempt}` }))
  .addEdge(START, "work")
  .addEdge("work", "check")
  .addConditionalEdges("check", afterCheck, ["merge", "check", "work"])
  .addEdge("merge", END)
  .compile({ checkpointer });

const run = async (name, count) => {
  const ends = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      graph.invoke(
        { id: `s${index}`, attempt: 0, round: 0 },
        { configurable: { thread_id: `${name}-${index}` }, durability },
      ),
    ),
  );
  if (ends.some(({ merged }) => merged === undefined)) throw new Error("a thread did not end");
};

await run("warm", 20);
if (asked !== "default") checkpointer.db.pragma(`synchronous = ${asked}`);
const started = performance.now();
await run("measured", Number(subtasks));
const ms = performance.now() - started;
const [{ count }] = checkpointer.db
  .prepare("SELECT count(*) AS count FROM checkpoints WHERE thread_id LIKE 'measured-%'")
  .all();
const [{ synchronous }] = checkpointer.db.pragma("synchronous");
const [{ journal_mode: mode }] = checkpointer.db.pragma("journal_mode");
const { node } = process.versions;
console.log(JSON.stringify({ ms, checkpoints: count, synchronous, mode, node }));
