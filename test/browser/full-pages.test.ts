// proves: E12
// Pages with much to show: every state of runs, a large graph, a timeline with all that can lie on it, every kind of
// question, a month of insights; and a form whose hints arrive while somebody types.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page, Route } from "playwright-core";
import { repository, type Repository } from "../end-to-end/run/repository.ts";
import * as full from "./full-pages.ts";
import { assertFit, launch, serve, shoot, signedIn, type Server } from "./served-page.ts";

let here: Repository;
let server: Server;
let browser: Browser;
let page: Page;
const problems: string[] = [];

before(async () => {
  here = repository();
  server = await serve(here);
  browser = await launch();
  ({ page } = await signedIn(browser, server.link, problems));
  for (const [name, json] of Object.entries(ANSWERS))
    await page.route(`**/api/${name}?*`, (route) => route.fulfill({ json }));
  // There are no such runs: what else their pages ask for stays on its way.
  for (const name of ["read", "explain", "review"])
    await page.route(`**/api/${name}?*`, () => undefined);
});
after(async () => {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await browser.close();
  await server.stop();
  here.remove();
});

const ANSWERS = {
  ...{ list: full.LIST, inbox: full.INBOX, "agent-questions": full.AGENT_QUESTIONS },
  ...{ metrics: full.METRICS, stats: full.STATS, "memory-list": full.MEMORY },
};
const goTo = (path: string): Promise<unknown> => page.goto(`${new URL(server.url).origin}${path}`);

test("runs in every state: what needs a person first, then what goes on", async () => {
  await goTo("/");
  await page.locator(".row").first().waitFor();
  const states = await page.locator(".row .state").allTextContents();
  assert.equal(states.length, full.LIST.runs.length);
  assert.deepEqual(states.slice(0, 4), ["Needs you", "Running", "Waiting", "Running"]);
  await assertFit(page, "runs-every-state");
  await page.getByLabel(/^Search/).fill("nothing is called that");
  await page.getByText("No run matches").first().waitFor();
  await shoot(page, "runs-no-match");
});

test("a run of 500 subtasks, and one with waits, an incident and questions", async () => {
  await page.route("**/api/outline?*", (route) => {
    const isLarge = route.request().url().includes("large");
    return route.fulfill({ json: isLarge ? full.LARGE_RUN : full.BUSY_RUN });
  });
  await goTo("/runs/large/part-30");
  await page.getByRole("button", { name: /^part-30:/ }).waitFor();
  await shoot(page, "run-500");
  await goTo("/runs/busy/migrate");
  const timeline = page.getByRole("group", { name: "Attempts over time" });
  await timeline.getByTitle(/^Rate limited for 28m:/).waitFor();
  assert.equal(await timeline.locator(".timeline-wait").count(), 2);
  assert.equal(await timeline.locator(".timeline-question").count(), 2);
  await assertFit(page, "run-busy");
});

test("every kind of question in the inbox, those of one cause together", async () => {
  await goTo("/inbox");
  const { questions } = full.INBOX;
  await page.locator("article.question").nth(questions.length).waitFor();
  await page.getByText("also documents, remove-the-old-store").first().waitFor();
  await page
    .getByText(/^If nobody answers, .* in 4 h\.$/)
    .first()
    .waitFor();
  await assertFit(page, "inbox-every-kind");
  for (const [index, { words }] of questions.entries()) {
    const card = page.locator("article.question").nth(index + 1);
    await card.scrollIntoViewIfNeeded();
    assert.equal(await card.locator(".choices button").count(), words.choices.length);
    if (index % 2 === 1) await shoot(page, `inbox-every-kind-${index + 1}`);
  }
});

test("insights of a month", async () => {
  await goTo("/insights");
  for (const title of ["Money per day", "Time per day", "Predicted and actual success"])
    await page.locator(".chart", { hasText: title }).locator("canvas").waitFor();
  await assertFit(page, "insights-full");
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await shoot(page, "insights-full-end");
});

test("a goal can be typed before anything is known; what arrives moves nothing and takes nothing away", async () => {
  const held: Route[] = [];
  for (const name of ["goal-agent", "found-here"])
    await page.route(`**/api/${name}?*`, (route) => void held.push(route));
  await page.setViewportSize({ width: 390, height: 844 });
  await goTo("/new");
  await page.getByLabel("What should be done?").fill("Move it");
  await page.getByLabel("Checks, one per line").fill("npm run fast");
  const before = await places();
  while (held.length < 2) await page.waitForTimeout(20);
  // Another agent is found: what it may cost is asked again.
  await page.route("**/api/found-here?*", (route) => route.fulfill({ json: full.FOUND }));
  for (const route of held)
    await route.fulfill({
      json: route.request().url().includes("agent") ? full.AGENTS : full.FOUND,
    });
  await page.getByText("If left empty: the 2 found here.").first().waitFor();
  await page
    .getByText(/^If left empty: \$10, 30 attempts/)
    .first()
    .waitFor();
  await page.getByLabel("Agent", { exact: true }).waitFor();
  assert.deepEqual(await places(), before);
  await page.setViewportSize({ width: 1280, height: 800 });
  await assertFit(page, "new-goal-found");
  await page.getByLabel("Agent", { exact: true }).selectOption("codex");
  await page.getByRole("button", { name: "From a plan" }).click();
  await page.getByLabel("The plan, in YAML").fill("goal: later");
  await page.getByRole("link", { name: "Insights" }).click();
  await page.getByRole("link", { name: "New run" }).click();
  const typed = ["What should be done?", "Checks, one per line", "Agent"];
  const values = typed.map((name) => page.getByLabel(name, { exact: true }).inputValue());
  assert.deepEqual(await Promise.all(values), ["Move it", "npm run fast", "codex"]);
  await page.getByRole("button", { name: "From a plan" }).click();
  assert.equal(await page.getByLabel("The plan, in YAML").inputValue(), "goal: later");
});

/** Where everything stands that can be pointed at. */
const places = (): Promise<readonly number[]> =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll(".new-form label, .new-form textarea, #goal-usd, .new-form button")]
      .map((one) => Math.round(one.getBoundingClientRect().top))`,
  );

test("no page reported an error", () => assert.deepEqual(problems, []));
