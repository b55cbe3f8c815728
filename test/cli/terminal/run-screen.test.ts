// proves: U12
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runScreen } from "../../../src/cli/screen/run-screen.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { eventText } from "../../../src/journal/event-text.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { followEvents } from "../../../src/operations/follow/follow.ts";
import { newFolder, opened } from "../../journal/journals.ts";
import { chosen, dispatched, ended, failed, queued, started, T0 } from "./events.ts";

/** Keeps what was written, and tells when it has seen some words. */
function terminal() {
  let text = "";
  let look = (): void => {};
  return {
    columns: 80,
    rows: 24,
    listeners: 0,
    on() {
      this.listeners += 1;
    },
    off() {
      this.listeners -= 1;
    },
    write(more: string) {
      text += more;
      look();
    },
    text: () => text,
    shows: (words: string) =>
      new Promise<void>((resolve) => {
        look = () => text.includes(words) && resolve();
        look();
      }),
  };
}

/** A run that is followed in this folder and shown on a terminal. */
function watchScreen(
  journal: Journal,
  followed: { readonly runDir: string; readonly from: number; readonly until: AbortSignal },
  shown: ReturnType<typeof terminal>,
) {
  const screen = runScreen(shown);
  const on = screen.take.bind(screen);
  const following = followEvents(journal, { run: "r1", agents: {}, live: true, on, ...followed });
  return { say: screen.say.bind(screen), done: following.then(() => screen.end()) };
}

async function record(journal: Journal, events: readonly RunEvent[], at = 0): Promise<void> {
  const claim = await journal.claim("r1", T0);
  await journal.append({
    claim,
    expected: at,
    events: events.map(eventText),
    taken: [],
    phase: "active",
    at: T0,
  });
  await journal.release(claim);
}

const FIRST: readonly RunEvent[] = [started("a"), dispatched("a", 1, T0)];
const REST: readonly RunEvent[] = [
  ended("a", 1, T0 + 1000, "x"),
  failed("a", 1, "verification_failed"),
  chosen("a", [{ kind: "feedback" }], "feedback"),
  queued("a", "feedback"),
  dispatched("a", 2, T0 + 2000, "feedback"),
  ended("a", 2, T0 + 3000, "y"),
  { kind: "subtask-done", subtask: "a", attempt: 2, phase: "verified" },
  { kind: "run-ended", outcome: "verified", reason: "every subtask is verified" },
];

test("a run is watched from another place: the tree with the agent's step, what happens, the summary, then nothing", async () => {
  const journal = await opened();
  const runDir = newFolder();
  const folder = join(runDir, "attempts", "a", "1");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "transcript"),
    "first line\nreading the tests with API_KEY=a1b2c3d4e5f6g7h8\n",
  );
  await record(journal, FIRST);
  const shown = terminal();
  const until = new AbortController().signal;
  const watching = watchScreen(journal, { runDir, from: 1, until }, shown);
  await shown.shows("└ reading the tests");
  assert.doesNotMatch(shown.text(), /a1b2c3d4e5f6g7h8/);
  watching.say("a word of its owner");
  await record(journal, REST, FIRST.length);
  await watching.done;
  const end = shown.text();
  assert.ok(end.includes("a word of its owner"));
  assert.match(end, /\[a\] checks failed: it is verification_failed/);
  assert.match(end, /\[a\] next: send the failing output back/);
  assert.doesNotMatch(end, /^ ▸/m, "nothing of the tree is left");
  assert.equal(shown.listeners, 0);
});

test("watching that is ended early leaves nothing of the tree; old news are not told again", async () => {
  const journal = await opened();
  const events = [...FIRST, ...REST.slice(0, 4)];
  await record(journal, events);
  const shown = terminal();
  const ending = new AbortController();
  ending.abort();
  const from = events.length + 1;
  await watchScreen(journal, { runDir: "", from, until: ending.signal }, shown).done;
  assert.doesNotMatch(shown.text(), /\[a\]|└/, "the card that follows says where it stands");
});
