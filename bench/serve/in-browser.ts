/**
 * The page in a real browser: how much later an event is on the screen than on the bare stream, and the longest task
 * while a run of 1,000 subtasks is open and in progress, and while a transcript of 50 MB is read and scrolled.
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { RunEvent } from "../../src/core/run/decision.ts";
import { launch, signedIn } from "../../test/browser/served-page.ts";
import { openHomeJournal, playedRun, runWriter } from "./fill-home.ts";

const SMALL = "20270201-0000-0a0000";
const LARGE = "20270201-0000-0b0000";
const SUBTASKS = 1000;
const SHOWN = 40;
const TRANSCRIPT_BYTES = 50_000_000;

interface Asked {
  readonly home: string;
  readonly repo: string;
  readonly url: string;
  readonly link: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function inBrowser(asked: Asked) {
  const { home, repo, link } = asked;
  const browser = await launch();
  const journal = await openHomeJournal(home);
  try {
    const problems: string[] = [];
    const { page } = await signedIn(browser, link, problems);
    await page.evaluate(`${WATCH}`);
    const writer = (run: string, events: readonly RunEvent[]) =>
      runWriter(journal, run, { events, at: Date.now(), repo });

    const small = await playedRun(SHOWN);
    const later = await eventToPixel(page, asked, small, await writer(SMALL, small));

    const large = withPlan(await playedRun(SUBTASKS));
    const write = await writer(LARGE, large);
    await write(Math.floor(large.length / 2));
    await opened(page, `/runs/${LARGE}`, ".progress");
    const opening = await longestTask(page);
    for (let round = 0; round < 20; round += 1) {
      await write(4);
      await pause(250);
    }
    const live = await longestTask(page);

    const { subtask, attempt } = large.find((event) => event.kind === "attempt-dispatched") ?? {};
    if (subtask === undefined || attempt === undefined) throw new Error("nothing was dispatched");
    writeTranscript(join(home, "runs", LARGE, "attempts", subtask, String(attempt)));
    await opened(page, `/runs/${LARGE}/${subtask}/${attempt}`, ".transcript");
    for (let round = 0; round < 40; round += 1) {
      await page.mouse.wheel(0, round < 30 ? -4000 : 4000);
      await pause(100);
    }
    if (problems.length > 0) throw new Error(`the page says: ${problems.join("; ")}`);
    return { later, opening, live, transcript: await longestTask(page) };
  } finally {
    await journal.close();
    await browser.close();
  }
}

/** What a log needs from the first event; runs that were played lack it. */
const withPlan = (events: readonly RunEvent[]): readonly RunEvent[] =>
  events.map((event) =>
    event.kind === "received" && event.input.kind === "run-started"
      ? { ...event, input: { ...event.input, pinned: { plan: { agents: {}, subtasks: {} } } } }
      : event,
  );

/** Records long tasks, and when each progress value was painted. */
const WATCH = `(() => {
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.tasks.push(duration);
  }).observe({ type: "longtask", buffered: true });
  window.painted = {};
  new MutationObserver(() => requestAnimationFrame(() => {
    const words = document.querySelector(".progress")?.textContent ?? "";
    setTimeout(() => { window.painted[words] ??= Date.now(); });
  })).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;

/** The longest since the last call; 0 if none took 50 ms. */
const longestTask = (page: Page): Promise<number> =>
  page.evaluate<number>("Math.max(0, ...window.tasks.splice(0))");

/** Through the page's own routing, so that nothing is reloaded. */
async function opened(page: Page, path: string, shows: string): Promise<void> {
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent("popstate"))`);
  await page.locator(shows).first().waitFor();
  await pause(1500);
}

/** Milliseconds after the bare stream received it, for every finished subtask. */
async function eventToPixel(
  page: Page,
  { url, headers }: Asked,
  events: readonly RunEvent[],
  write: (count: number) => Promise<boolean>,
): Promise<readonly number[]> {
  const isDone = ({ kind }: RunEvent): boolean => kind === "subtask-done";
  const first = events.findIndex(isDone);
  await write(first);
  await opened(page, `/runs/${SMALL}`, ".progress");
  const arrived = new Map<number, number>();
  const request = get(`${url}/api/events?run=${SMALL}&after=${first}`, { headers }, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines)
        if (line.startsWith("id: ")) arrived.set(Number(line.slice(4)), Date.now());
    });
  }).on("error", () => undefined);
  await pause(500);
  const delays: number[] = [];
  let written = first;
  let done = 0;
  while (written < events.length && done < SHOWN - 1) {
    const next = events.findIndex((event, index) => index >= written && isDone(event)) + 1;
    await write(next - written);
    written = next;
    done += 1;
    const at = await paintedAt(page, `${done}/${SHOWN}`);
    await pause(300 + 400 * Math.random());
    delays.push(at - (arrived.get(written) ?? at));
  }
  request.destroy();
  return delays;
}

/** The page's content security policy forbids waiting for a condition given as text. */
async function paintedAt(page: Page, words: string): Promise<number> {
  for (;;) {
    const at = await page.evaluate<number | null>(`window.painted["${words}"] ?? null`);
    if (at !== null) return at;
    await pause(20);
  }
}

function writeTranscript(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "transcript");
  const say = (...content: readonly unknown[]): string =>
    `${JSON.stringify({ type: "assistant", message: { id: "m", content } })}\n`;
  const turn = (id: string): string =>
    say({ type: "text", text: "I look at the next file, because it is named there. ".repeat(8) }) +
    say({ type: "tool_use", id, name: "Read", input: { file_path: "src/module.ts" } }) +
    `${JSON.stringify({
      type: "user",
      message: {
        content: [{ type: "tool_result", tool_use_id: id, content: "a line\n".repeat(500) }],
      },
    })}\n`;
  appendFileSync(file, `${JSON.stringify({ type: "system", subtype: "init", session_id: "s" })}\n`);
  for (let bytes = 0, number = 0; bytes < TRANSCRIPT_BYTES; number += 100) {
    const turns = Array.from({ length: 100 }, (_, index) => turn(`t${number + index}`)).join("");
    appendFileSync(file, turns);
    bytes += turns.length;
  }
}
