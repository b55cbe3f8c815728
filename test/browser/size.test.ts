// The page with more than anybody has: 10,000 runs, a run of 1,000 subtasks; and how much a browser has to load.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { ROOT } from "../cli/command.ts";
import { repository } from "../end-to-end/run/repository.ts";
import { launch, serve, shoot, signedIn } from "./served-page.ts";

const STATES = ["verified", "running", "needs you", "failed", "waiting", "paused"];
const RUNS = Array.from({ length: 10_000 }, (_, index) => ({
  ...{ id: `run-${index}`, name: `${index}`, title: `Run number ${index}`, phase: "ended" },
  ...{ state: STATES[index % STATES.length], repository: `/srv/project-${index % 40}`, seq: 9 },
  ...{ questions: 0, applied: false, here: true, alive: false, folderIsGone: false, next: [] },
  progress: { done: index % 9, subtasks: 9 },
  cost: { amount: (index % 700) / 100, known: true, told: 3, attempts: 3 },
  created: Date.now() - index * 600_000,
}));
const attemptAt = (index: number, attempt: number) => ({
  ...{ attempt, used: {}, succeeded: attempt === 2, agent: "agent" },
  startedAt: T0 + index * 5000 + attempt * 2000,
  endedAt: T0 + index * 5000 + attempt * 2000 + 1500,
  ...(attempt === 1 ? { failure: { name: "checks failed", words: "3 !== 2" } } : {}),
});
const T0 = Date.UTC(2026, 0, 1);
const SUBTASKS = Array.from({ length: 1000 }, (_, index) => ({
  ...{ id: `subtask-${index}`, prompt: "do it", phase: index < 700 ? "verified" : "pending" },
  dependsOn: index < 20 ? [] : [`subtask-${index - 20}`, `subtask-${(index * 7) % 20}`],
  ...{ story: "", waits: [] },
  attempts: index < 700 ? [attemptAt(index, 1), attemptAt(index, 2)] : [],
}));

const LONG_TASKS = `new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries())
    window.longest = Math.max(window.longest ?? 0, duration);
}).observe({ type: "longtask", buffered: true })`;

test("10,000 runs: few rows are drawn, a search finds one; of 1,000 subtasks what can be seen", async (t) => {
  const here = repository();
  const server = await serve(here);
  const browser = await launch();
  try {
    const problems: string[] = [];
    const { page } = await signedIn(browser, server.link, problems);
    await page.addInitScript(LONG_TASKS);
    const list = { runs: RUNS, all: true, inside: true, older: 0, elsewhere: "" };
    await page.route("**/api/list?*", (route) => route.fulfill({ json: list }));
    const outline = { run: "big", goal: "big", startedAt: T0, at: T0 + 3_600_000, stopped: true };
    const more = { questions: [], incidents: [] };
    await page.route("**/api/outline?*", (route) =>
      route.fulfill({ json: { ...outline, ...more, subtasks: SUBTASKS } }),
    );
    // What else a run's page asks for stays on its way: there is no such run.
    await page.route("**/api/read?*", () => undefined);
    await page.goto(server.url);
    await page.getByRole("button", { name: "All 10,000" }).waitFor();
    assert.ok((await page.locator(".row").count()) < 80);
    assert.match((await page.locator(".row").first().textContent()) ?? "", /Needs you/);
    await shoot(page, "runs-10000");
    await page.keyboard.press("/");
    await page.keyboard.type("number 9876");
    await page.getByText("Run number 9876").first().waitFor();
    // A part of the words finds more of them.
    await page.locator(".row").nth(1).waitFor({ state: "detached" });
    assert.equal(await page.locator(".row").count(), 1);
    await page.keyboard.press("Escape");
    await page.goto(`${new URL(server.url).origin}/runs/big`);
    const last = page.getByRole("button", { name: "subtask-999: Not started" });
    await page.locator(".node").first().waitFor();
    await shoot(page, "run-1000");
    assert.equal(await last.count(), 0, "what cannot be seen is not drawn");
    await page.evaluate(`document.querySelector(".graph").scrollTo(1e6, 1e6)`);
    await last.waitFor();
    await page.locator(".timeline-bar").first().waitFor();
    const drawn = (box: string): Promise<number> => page.locator(`${box} *`).count();
    assert.ok((await drawn(".graph")) < 2500 && (await drawn(".timeline")) < 800);
    const lastRow = page.locator(".timeline").getByText("subtask-699", { exact: true });
    await page.evaluate(`document.querySelector(".timeline").scrollTo(0, 1e6)`);
    await lastRow.waitFor();
    assert.ok((await drawn(".timeline")) < 800);
    await page.getByRole("button", { name: "List" }).click();
    await page.locator(".list-row").first().waitFor();
    assert.ok((await drawn(".list")) < 800);
    // The keyboard reaches what is not drawn.
    await page.goto(`${new URL(server.url).origin}/runs/big/subtask-500`);
    await page.getByRole("button", { name: /^subtask-500:/ }).focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/subtask-5(?!00)\d\d$/);
    const onNext = "[aria-label^='subtask-5']:focus:not([aria-label^='subtask-500:'])";
    await page.locator(`.node${onNext}`).waitFor();
    t.diagnostic(`longest task: ${await page.evaluate<number>("window.longest ?? 0")} ms`);
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    await server.stop();
    here.remove();
  }
});

test("all scripts together are under 150 kB compressed", () => {
  const files = ["app.js", "events-worker.js", "insights.js"];
  const bytes = files.map((name) => readFileSync(`${ROOT}/dist/web/${name}`));
  const sizes = bytes.map((content) => brotliCompressSync(content).length);
  assert.ok(sizes.reduce((sum, size) => sum + size) < 150_000, sizes.join(", "));
});
