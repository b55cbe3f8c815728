// proves: E12, D4, D5, D7
// A real run of the demo, driven from the page in a real browser. The tests go on from each other, in this order.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { ANSWER, demoProject, MARKUP, type Demo } from "./demo-project.ts";
import { barriers, freshLink, launch, seenAs, serve, shoot, signedIn } from "./served-page.ts";
import { goByKeys, PATIENCE_MS, VIEWS, wasAttacked, watched } from "./served-page.ts";
import type { Server } from "./served-page.ts";

let demo: Demo;
let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Another browser, that somebody else looks at. */
let other: Page;
let run = "";
const problems: string[] = [];

before(async () => {
  demo = demoProject();
  server = await serve(demo.here);
  browser = await launch();
});

after(async () => {
  await browser.close();
  await server.stop();
  demo.here.remove();
});

test("a link signs a browser in once; without it the page says how to get one", async () => {
  const strangers = await browser.newContext();
  strangers.setDefaultTimeout(PATIENCE_MS);
  const stranger = await strangers.newPage();
  await stranger.goto(server.url);
  await stranger.getByRole("heading", { name: "Sign in from your terminal" }).waitFor();
  await shoot(stranger, "signed-out");
  ({ context, page } = await signedIn(browser, server.link, problems));
  assert.ok(!page.url().includes("#"), "the code stays in no address");
  await page.getByText("No runs yet").first().waitFor();
  await shoot(page, "runs-empty");
  await stranger.goto(server.link);
  await stranger.getByRole("alert").waitFor();
  await shoot(stranger, "link-used");
  await strangers.close();
  ({ page: other } = await signedIn(browser, freshLink(demo.here), problems));
});

test("a run starts from a plan and is watched as it recovers", async () => {
  await goByKeys(page, "n", "/new");
  await page.getByRole("button", { name: "From a plan" }).click();
  await page.getByLabel("The plan, in YAML").fill("subtasks: 3");
  await page.getByRole("button", { name: "Start the run" }).click();
  await page.locator(".plan-problems .notice").first().waitFor();
  await shoot(page, "new-refused");
  await page.getByLabel("The plan, in YAML").fill(readFileSync(demo.plan, "utf8"));
  await page.getByRole("button", { name: "Start the run" }).click();
  await page.waitForURL(/\/runs\//);
  run = page.url().split("/").at(-1) ?? "";
  await page.getByRole("button", { name: /^guess: Running/ }).waitFor();
  await shoot(page, "run-running");
  demo.letGo();
  await page.getByRole("button", { name: /^guess: Verified, 2 attempts/ }).waitFor();
  await page.getByRole("button", { name: /^pick: Needs you/ }).waitFor();
  await page.getByRole("button", { name: /^build: Verified/ }).waitFor();
  await shoot(page, "run-asks");
});

test("a decision card says what was seen, what else there was, and why", async () => {
  await page.getByRole("button", { name: /^guess: Verified/ }).click();
  const card = page.locator(".decision[open]");
  await card.getByText("So it sent the failing output back").first().waitFor();
  await card.getByRole("heading", { name: "What was seen" }).waitFor();
  await card.getByText("3 !== 2").first().waitFor();
  await card.getByText("apply a known repair").first().waitFor();
  await card.getByRole("heading", { name: "Why this one" }).waitFor();
  await shoot(page, "decision");
});

test("an attempt: transcript with folded calls, checks, changes by the word, the prompt's additions", async () => {
  await page.getByRole("link", { name: /1 checks failed/ }).click();
  await page.getByText("All tests pass now!").first().waitFor();
  await page.getByRole("tab", { name: "Checks" }).click();
  await page.getByRole("tabpanel", { name: "Checks" }).getByText("3 !== 2").first().waitFor();
  await shoot(page, "checks");
  await page.keyboard.press("j");
  await page.locator("[data-kind=added] mark", { hasText: /^3$/ }).waitFor();
  await shoot(page, "changes");
  await page.keyboard.press("]");
  await page.getByRole("tab", { name: "Transcript" }).click();
  const call = page.locator("details", { hasText: "sh check.sh guess" });
  await call.waitFor();
  assert.equal(await call.locator("pre").first().isVisible(), false, "calls are folded");
  await call.locator("summary").click();
  await call.getByText(`ok ${MARKUP}`).first().waitFor();
  await shoot(page, "transcript");
  await page.getByRole("tab", { name: "Prompt" }).click();
  await page.getByText("Since attempt 2: sent the failing output back").first().waitFor();
  await shoot(page, "prompt");
  await page.keyboard.press("Escape");
  await page.waitForURL(/\/guess$/);
});

test("every page is free of serious barriers, in light, dark and on a phone, and takes no text for markup", async () => {
  const paths = [
    ...["/", "/inbox", "/insights", "/new", `/runs/${run}`, `/runs/${run}/guess/1`],
    ...["checks", "changes", "prompt", "decisions"].map((tab) => `/runs/${run}/guess/1#${tab}`),
  ];
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(`${server.url}${path}`.replace(/(?<!:)\/\//, "/"));
    await page.locator(".page").first().waitFor();
    await page.locator(".loading").first().waitFor({ state: "detached" });
    for (const view of VIEWS) {
      await seenAs(page, view);
      const as = `${path} ${view[0]} ${view[2]}`;
      found.push(...(await barriers(page)).map((words) => `${as}: ${words}`));
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      if (wide > 0) found.push(`${as}: ${wide} px too wide`);
    }
    await shoot(page, `page${path.replaceAll(/[/#]/g, "-").replace(run, "run")}`);
    assert.equal(await wasAttacked(page), false, path);
  }
  await seenAs(page, VIEWS[0]);
  assert.deepEqual(found, []);
});

test("a question is answered in one's own words by the keyboard alone; another browser sees it end", async () => {
  await goByKeys(page, "i", "/inbox");
  await page.getByText("Which of the two spellings").first().waitFor();
  await page.keyboard.press("1");
  await page.locator("textarea:focus").waitFor();
  assert.equal(await page.getByLabel("Your answer").inputValue(), "");
  await page.keyboard.type(ANSWER);
  await shoot(page, "inbox-answer");
  await page.keyboard.press("Control+Enter");
  const resume = page.getByRole("button", { name: "Resume the run" });
  await resume.waitFor();
  await shoot(page, "inbox-answered");
  await resume.focus();
  await page.keyboard.press("Enter");
  await page.getByText("Nothing waits for you").first().waitFor();
  await shoot(page, "inbox-empty");
  await other.getByRole("link", { name: /Verified/ }).waitFor();
  await shoot(other, "runs-verified");
  await goByKeys(page, "r", "/");
  await page.getByRole("link", { name: /Verified/ }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByText("Verified: every check passes on the result.").first().waitFor();
  const { state } = JSON.parse(demo.here.unstuck("status", run, "--json").out) as { state: string };
  assert.equal(state, "verified", "the terminal says the same");
});

test("twelve tabs share one stream; what a server misses while it is away is there when it is back", async () => {
  const tabs = [];
  for (let tab = 0; tab < 12; tab += 1) {
    const opened = await watched(context, problems);
    await opened.goto(server.url);
    await opened.getByRole("link", { name: /Verified/ }).waitFor();
    tabs.push(opened);
  }
  for (const tab of tabs) await tab.getByText("Live", { exact: true }).first().waitFor();
  const port = Number(new URL(server.url).port);
  await server.stop();
  await page.goto("about:blank").catch(() => undefined);
  const [tab] = tabs;
  assert.ok(tab !== undefined);
  await tab.getByText("Not connected: what you see may be out of date.").first().waitFor();
  await tab.getByRole("link", { name: /Verified/ }).waitFor();
  await shoot(tab, "offline");
  server = await serve(demo.here, port);
  for (const one of tabs) await one.getByText("Live", { exact: true }).first().waitFor();
  for (const one of tabs) await one.close();
});

test("no page reported an error", () => assert.deepEqual(problems, []));
