// proves: E12, D4, D5, U8
// What the page has beside the run of run.test.ts: comparing attempts, what decided, incidents, the recovery of one's own
// choice, taking over and handing back, a plan as it is typed, a long transcript, themes, and a browser without workers.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { repository, type Repository } from "../end-to-end/run/repository.ts";
import { planFile } from "../end-to-end/run/runs.ts";
import { FULL } from "../large-form.ts";
import { barriers, freshLink, launch, serve, shoot, signedIn } from "./served-page.ts";
import { PATIENCE_MS, wasAttacked, watched, type Server } from "./served-page.ts";

const MARKUP = `<img src=x onerror="window.attacked=1">`;

let here: Repository;
let server: Server;
let browser: Browser;
let page: Page;
let run = "";
const problems: string[] = [];
const at = (path: string): string => `${new URL(server.url).origin}${path}`;

before(async () => {
  here = repository();
  const agent = here.agent({
    goal: [{ write: { "value.txt": `3 ${MARKUP}\n` } }, { write: { "value.txt": "2\n" } }],
    limited: [
      { error: "Error: 429 Too Many Requests. Please retry after 1 seconds.", exit: 1 },
      { write: { "limited.txt": "2\n" } },
    ],
    asks: [
      { error: `what is this ${MARKUP}`, exit: 1 },
      { error: `what is this ${MARKUP}`, exit: 1 },
      { expectPrompt: "Look at it", write: { "asks.txt": "2\n" } },
    ],
    hands: [
      { error: "what is this", exit: 1 },
      { error: "what is this", exit: 1 },
    ],
  });
  const check = (name: string): string => `checks: ["grep -q '^2$' ${name}.txt"]`;
  const plan = planFile(
    here,
    "agent",
    [
      `id: limited, prompt: make another, ${check("limited")}`,
      `id: goal, prompt: make it right, dependsOn: [limited], ${check("value")}`,
      `id: asks, prompt: ask, dependsOn: [limited], ${check("asks")}`,
      `id: hands, prompt: by hand, dependsOn: [limited], ${check("hands")}`,
    ],
    [
      `agents: { agent: { command: ${JSON.stringify(agent)} } }`,
      "models: [{ agent: agent, model: small, tier: 1 }, { agent: agent, model: large, tier: 2 }]",
      ...["grounding: false", "concurrency: 4"],
    ],
  );
  const ran = here.unstuck("run", plan, "--trust");
  assert.equal(ran.code, 3, ran.err + ran.out);
  [run = ""] = here.runs();
  server = await serve(here);
  browser = await launch();
  ({ page } = await signedIn(browser, server.link, problems));
});

after(async () => {
  await browser.close();
  await server.stop();
  here.remove();
});

test("an attempt's changes, compared with what a person chooses", async () => {
  await page.goto(at(`/runs/${run}/goal/2#changes`));
  const against = page.getByLabel("Compared with");
  await page.locator("[data-kind=added] code", { hasText: /^2$/ }).waitFor();
  await against.selectOption("base");
  const another = page.locator("summary", { hasText: "limited.txt" });
  await another.waitFor();
  await against.selectOption("what attempt 1 left");
  await page.locator("[data-kind=removed] code", { hasText: `3 ${MARKUP}` }).waitFor();
  await shoot(page, "changes-against");
  await against.selectOption("good");
  await page.locator("[data-kind=removed] code", { hasText: /^1$/ }).waitFor();
  assert.equal(await another.count(), 0, "the last good commit has it already");
  assert.equal(await wasAttacked(page), false);
});

test("what a failure was taken for, with the line that decided marked", async () => {
  await page.goto(at(`/runs/${run}/limited/1#evidence`));
  await page.getByText("The attempt hit a rate limit.").first().waitFor();
  await page.locator("mark", { hasText: "Error: 429 Too Many Requests" }).waitFor();
  await shoot(page, "evidence");
  await page.goto(at(`/runs/${run}/limited/2#evidence`));
  await page.getByText("No failure is recorded of it").first().waitFor();
});

test("the timeline shows what held everybody up, and the questions", async () => {
  await page.goto(at(`/runs/${run}`));
  const timeline = page.getByRole("group", { name: "Attempts over time" });
  await timeline
    .getByTitle(/^Rate limited for \d+s: limited waited$/)
    .first()
    .waitFor();
  assert.equal(await timeline.locator(".timeline-bands span").count(), 1);
  assert.equal(await timeline.locator(".timeline-question").count(), 2);
  assert.equal(
    await page.evaluate<boolean>(IS_CUT),
    false,
    "a name that does not fit is not shown",
  );
  await shoot(page, "incidents");
});

/** Some name of an incident is seen in part. */
const IS_CUT = `[...document.querySelectorAll(".timeline-incident")].some((band) => {
  const [name, around] = [band.lastElementChild, band].map((one) => one.getBoundingClientRect());
  return name.top < around.bottom - 1 && name.right > around.right + 1;
})`;

test("a person chooses the recovery, with words of their own", async () => {
  await page.goto(at("/inbox"));
  const card = page.locator("article", {
    has: page.getByRole("link", { name: "asks", exact: true }),
  });
  await card.getByRole("button", { name: "Retry with modifications" }).click();
  await card.getByLabel("What should the next attempt know").fill(`Look at it ${MARKUP}`);
  await card.getByLabel("Switch to a stronger model").check();
  await shoot(page, "inbox-recovery");
  await card.getByRole("button", { name: "Retry with modifications" }).click();
  await card
    .getByText(/answered: retry: switch to a stronger model: Look at it/)
    .first()
    .waitFor();
  assert.equal(await wasAttacked(page), false);
});

test("a subtask is taken over and handed back; its folder is found again", async () => {
  const card = page.locator("article", {
    has: page.getByRole("link", { name: "hands", exact: true }),
  });
  await card.getByRole("button", { name: "Handle manually" }).click();
  await card.getByText("has taken it over").first().waitFor();
  await page.reload();
  const command = await card.locator(".command code").textContent();
  const folder = /^cd '?(.*?)'?$/.exec(command ?? "")?.[1] ?? "";
  writeFileSync(join(folder, "hands.txt"), "2\n");
  const first = card.locator(".choices button").first();
  assert.match((await first.textContent()) ?? "", /Done by hand: check it$/);
  assert.equal(await card.locator(".choices .primary").count(), 1);
  assert.equal(await first.getAttribute("class"), "primary");
  await shoot(page, "inbox-taken");
  await card.getByRole("button", { name: "Done by hand: check it" }).click();
  await page.getByText("2 answers wait for run").first().waitFor();
  // To leave the page sooner would take the request back.
  const resumed = page.waitForResponse((response) => response.url().includes("/api/resume"));
  await page.getByRole("button", { name: "Resume the run" }).click();
  await resumed;
  await page.goto(at(`/runs/${run}`));
  await page.getByText("Verified: every check passes on the result.").first().waitFor();
  const asks = JSON.parse(here.unstuck("report", run, "--json").out) as {
    readonly subtasks: readonly {
      readonly id: string;
      readonly attempts: readonly { readonly entry?: { readonly model?: string } }[];
    }[];
  };
  const last = asks.subtasks.find(({ id }) => id === "asks")?.attempts.at(-1);
  assert.equal(last?.entry?.model, "large");
});

test("a plan is read as it is typed: problems at their lines, then what it would do", async () => {
  await page.goto(at("/new"));
  await page.getByText("none found here").first().waitFor();
  await page.getByRole("button", { name: "From a plan" }).click();
  const box = page.getByLabel("The plan, in YAML");
  const plan = readFileSync(join(here.path, "..", "plan.yaml"), "utf8");
  await box.fill(plan.replace("id: limited", "idd: limited"));
  const line = plan.split("\n").findIndex((text) => text.includes("limited")) + 1;
  await page
    .getByRole("button", { name: `Line ${line}` })
    .first()
    .click();
  await page
    .locator(`.plan-numbers [data-wrong]`, { hasText: String(line) })
    .first()
    .waitFor();
  const refused = page.waitForResponse((response) => response.url().includes("/api/start"));
  await page.getByRole("button", { name: "Start the run" }).click();
  await refused;
  await page.getByRole("button", { name: "Start the run" }).waitFor();
  assert.equal(await page.getByRole("alert").count(), 0, "the problem stands at its line already");
  await shoot(page, "new-problems");
  await box.fill(plan);
  await page.getByText("This plan can start.").first().waitFor();
  await page.getByText("limited, goal, asks, hands").first().waitFor();
  assert.equal(await page.getByRole("alert").count(), 0, "that was said of another text");
  await shoot(page, "new-plan");
});

const ENTRIES = FULL ? 400_000 : 20_000;

test(`a transcript of ${ENTRIES} entries: only what is seen is drawn, from its beginning to its end`, async (t) => {
  const file = join(here.home, "runs", run, "attempts", "goal", "2", "transcript");
  const line = (index: number): string =>
    JSON.stringify({ kind: "message", text: `word ${index} ${"of many ".repeat(10)}` });
  writeFileSync(file, Array.from({ length: ENTRIES }, (_, index) => line(index)).join("\n"));
  await page.addInitScript(LONG_TASKS);
  await page.goto(at(`/runs/${run}/goal/2`));
  await page.getByRole("button", { name: "Show it from its beginning" }).click();
  await page.getByText("word 0 of many").first().waitFor();
  const drawn = (): Promise<number> => page.locator(".entry").count();
  assert.ok((await drawn()) < 400, "drawn at the beginning");
  await page
    .locator(".entries")
    .nth(ENTRIES / 50 - 1)
    .waitFor({ state: "attached" });
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await page
    .getByText(`word ${ENTRIES - 1} of many`)
    .first()
    .waitFor();
  assert.ok((await drawn()) < 400, "drawn at the end");
  t.diagnostic(`longest task: ${await page.evaluate<number>("window.longest ?? 0")} ms`);
});

const LONG_TASKS = `new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries())
    window.longest = Math.max(window.longest ?? 0, duration);
}).observe({ type: "longtask", buffered: true })`;

test("the theme is switched and kept; dark on a phone has no barriers and nothing too wide", async () => {
  await page.goto(at("/"));
  const ground = (): Promise<string> =>
    page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const light = await ground();
  await page.getByRole("button", { name: "Theme: system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  await page.getByRole("button", { name: "Theme: dark" }).waitFor();
  const dark = await ground();
  assert.notEqual(dark, light);
  await page.reload();
  assert.equal(await ground(), dark, "it is kept");
  await page.setViewportSize({ width: 390, height: 844 });
  const found: string[] = [];
  const tabs = ["transcript", "changes", "evidence"].map((tab) => `/runs/${run}/goal/1#${tab}`);
  const paths = ["/", "/inbox", "/new", `/runs/${run}`, ...tabs];
  for (const path of paths) {
    await page.goto(at(path));
    await page.locator(".page").first().waitFor();
    await page.locator(".loading").first().waitFor({ state: "detached" });
    found.push(...(await barriers(page)).map((words) => `${path}: ${words}`));
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    if (wide > 0) found.push(`${path} is ${wide} px too wide`);
    await shoot(page, `phone-dark${path.replaceAll(/[/#]/g, "-").replace(run, "run")}`);
  }
  assert.deepEqual(found, []);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(at(`/runs/${run}/goal/1#decisions`));
  await page.locator(".decision").first().waitFor();
  const box = await page.locator("#tab-decisions").boundingBox();
  assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, "the chosen tab is in sight");
  await shoot(page, "phone-tabs");
});

test("without shared workers one tab holds the stream for all; another takes over when it closes", async () => {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(
    "Object.defineProperty(window, 'SharedWorker', { value: undefined })",
  );
  const streams: string[] = [];
  const opened = async (name: string, address: string): Promise<Page> => {
    const tab = await watched(context, problems);
    tab.on("request", (request) => {
      if (request.url().endsWith("/api/events")) streams.push(name);
    });
    await tab.goto(address);
    await tab.getByText("Live", { exact: true }).first().waitFor();
    return tab;
  };
  const first = await opened("first", freshLink(here));
  const second = await opened("second", server.url);
  assert.deepEqual(new Set(streams), new Set(["first"]));
  const takenOver = second.waitForRequest(/\/api\/events$/);
  await first.close();
  await takenOver;
  await second.getByText("Live", { exact: true }).first().waitFor();
  await context.close();
  assert.deepEqual(problems, []);
});
