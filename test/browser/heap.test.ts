// A page that is left open: what it holds does not grow with what it was told.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openHomeJournal, playedRun, runWriter } from "../../bench/serve/fill-home.ts";
import { repository } from "../end-to-end/run/repository.ts";
import { FULL } from "../large-form.ts";
import { launch, serve, signedIn } from "./served-page.ts";

const EVENTS = FULL ? 100_000 : 10_000;
const PIECE = 5;
const PAUSE_MS = FULL ? 100 : 20;
const GROWTH_MAX = 1.1;

/** After collection, in bytes. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  for (let time = 0; time < 3; time += 1) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

test(`${EVENTS} events replayed into an open page: its heap grows by less than a tenth`, async () => {
  const here = repository();
  const server = await serve(here);
  const browser = await launch();
  const journal = await openHomeJournal(here.home);
  try {
    const problems: string[] = [];
    const { page } = await signedIn(browser, server.link, problems);
    const events = await playedRun(100);
    const runs = Math.ceil(EVENTS / events.length);
    const writers = await Promise.all(
      Array.from({ length: runs }, (_, index) => {
        const run = `20270101-0000-${index.toString(16).padStart(6, "0")}`;
        return runWriter(journal, run, { events, at: Date.now(), repo: here.path });
      }),
    );
    let played = 0;
    /** A little of every run, and then of every run again. */
    const play = async (upTo: number): Promise<void> => {
      for (; played < upTo; played += PIECE) {
        await Promise.all(writers.map((write) => write(PIECE)));
        await pause(PAUSE_MS);
      }
    };
    await play(events.length / 10);
    await page.getByRole("button", { name: `All ${runs}` }).waitFor();
    await pause(2000);
    const before = await heapOf(page);
    await play(events.length);
    await page.getByRole("button", { name: `Done ${runs}` }).waitFor();
    const after = await heapOf(page);
    assert.ok(after < before * GROWTH_MAX, `${before} bytes, then ${after}`);
    assert.deepEqual(problems, []);
  } finally {
    await journal.close();
    await browser.close();
    await server.stop();
    here.remove();
  }
});
