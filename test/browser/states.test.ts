// Every page in the states that a person meets besides the good one: on its way, empty, failed, unknown, signed out.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page, Route } from "playwright-core";
import { repository, type Repository } from "../end-to-end/run/repository.ts";
import { assertFit, launch, serve, signedIn, type Server } from "./served-page.ts";

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
});
after(async () => {
  await browser.close();
  await server.stop();
  here.remove();
});

const PAGES = {
  ...{ runs: "/", inbox: "/inbox", insights: "/insights", new: "/new" },
  ...{ run: "/runs/20260101-0000-aaaaaa", attempt: "/runs/20260101-0000-aaaaaa/a/1" },
};
const goTo = (path: string): Promise<unknown> => page.goto(`${new URL(server.url).origin}${path}`);

test("empty: each page says what will be here", async () => {
  await goTo(PAGES.runs);
  await page.getByText("No runs yet").first().waitFor();
  await assertFit(page, "empty-runs");
  await goTo(PAGES.inbox);
  await page.getByText("Nothing waits for you").first().waitFor();
  await assertFit(page, "empty-inbox");
  await goTo(PAGES.insights);
  await page.locator(".loading").first().waitFor({ state: "detached" });
  await assertFit(page, "empty-insights");
});

test("a run that is not there: the page says so", async () => {
  for (const name of ["run", "attempt"] as const) {
    await goTo(PAGES[name]);
    await page.getByRole("alert").getByRole("link", { name: "See the runs" }).waitFor();
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
    assert.equal(await page.getByRole("alert").count(), 1);
    await assertFit(page, `unknown-${name}`);
  }
});

const ON_ITS_WAY = (): Promise<void> => new Promise(() => undefined);
const BROKEN = (route: Route): Promise<void> =>
  route.fulfill({
    status: 500,
    json: { problem: { code: "failed", message: "The server met a bug; its terminal says more." } },
  });

test("on its way: each page keeps its shape", async () => {
  await page.route("**/api/**", ON_ITS_WAY);
  for (const [name, path] of Object.entries(PAGES)) {
    await goTo(path);
    await page.getByRole("status", { name: "Loading" }).first().waitFor();
    await assertFit(page, `loading-${name}`);
  }
  await page.unroute("**/api/**", ON_ITS_WAY);
});

test("failed: each page says what went wrong", async () => {
  await page.route("**/api/**", BROKEN);
  for (const [name, path] of Object.entries(PAGES)) {
    await goTo(path);
    await page.getByRole("alert").first().waitFor();
    await page.getByText("The server met a bug").first().waitFor();
    await page.locator(".loading").first().waitFor({ state: "detached" });
    assert.equal(await page.getByText("The server met a bug").count(), 1, name);
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await assertFit(page, `failed-${name}`);
  }
  await page.unroute("**/api/**", BROKEN);
});

test("the keys are shown, and the theme that was chosen stays", async () => {
  await goTo(PAGES.runs);
  await page.getByText("No runs yet").first().waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await assertFit(page, "keys");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Theme: system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).waitFor();
  await page.reload();
  await page.getByText("No runs yet").first().waitFor();
  await page.getByRole("button", { name: "Theme: light" }).waitFor();
});

test("no page reported an error", () => assert.deepEqual(problems, []));
