// proves: D4, D5, D7, E12, U16, U21
// Every decision a person can make, made on the page; another browser and a terminal see the same. The tests go on from each other.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { eventsOf, inputsOf } from "../end-to-end/run/runs.ts";
import { askingProject, COMMANDS, WORDS, type AskingProject } from "./decisions-project.ts";
import { freshLink, launch, serve, shoot, signedIn, type Server } from "./served-page.ts";

let project: AskingProject;
let server: Server;
let browser: Browser;
let page: Page;
/** Of another browser. */
let other: Page;
let run = "";
const problems: string[] = [];

before(async () => {
  project = askingProject();
  server = await serve(project.here);
  browser = await launch();
  ({ page } = await signedIn(browser, server.link, problems));
  ({ page: other } = await signedIn(browser, freshLink(project.here), problems));
});

after(async () => {
  await browser.close();
  await server.stop();
  project.here.remove();
});

interface Told {
  readonly state: string;
  readonly subtasks: readonly { readonly id: string; readonly phase: string }[];
}

const status = (): Told => JSON.parse(project.here.unstuck("status", run, "--json").out) as Told;
const phaseOf = (subtask: string): string | undefined =>
  status().subtasks.find(({ id }) => id === subtask)?.phase;
const goTo = (where: Page, path: string): Promise<unknown> =>
  where.goto(`${new URL(server.url).origin}${path}`);
/** The question of a subtask, in the inbox. */
const question = (subtask: string, where = page): Locator =>
  where.getByRole("article", { name: new RegExp(`subtask ${subtask}\\b`, "i") });
const choose = (subtask: string, answer: string): Promise<void> =>
  question(subtask).getByRole("button", { name: answer }).click();
/** What stands in the journal: a question, its answer, and whether a browser gave it. */
const given = (): readonly string[] =>
  inputsOf(project.here.events(run), "checkpoint-answered")
    .map(({ checkpoint, answer, by }) => {
      const who = /\(browser\)$/.test(String(by)) ? "browser" : String(by);
      return `${String(checkpoint)} ${(answer as { kind: string }).kind} ${who}`;
    })
    .toSorted();

async function bothSee(state: string): Promise<void> {
  for (const one of [page, other])
    await one.locator(".run-head").getByText(state).first().waitFor();
}

test("a run from a goal: looked at first, started, paused, gone on with, verified", async () => {
  await goTo(page, "/new");
  await page.getByLabel("What should be done?").fill("Write a 2 into goal.txt");
  await page.getByLabel("Agent", { exact: true }).fill(project.goalAgent);
  await page.getByLabel(/^Checks/).fill("sh check.sh goal");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Start the run" }).waitFor();
  await shoot(page, "new-goal-looked-at");
  await page.getByRole("button", { name: "Start the run" }).click();
  await page.waitForURL(/\/runs\//);
  run = page.url().split("/").at(-1) ?? "";
  await goTo(other, `/runs/${run}`);
  for (const one of [page, other])
    await one.getByRole("button", { name: /^goal: Running/ }).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await bothSee("Paused");
  assert.equal(status().state, "paused");
  await page.getByRole("button", { name: /^goal: Paused/ }).waitFor();
  const stopped = page.locator(".ribbon-attempt", { hasText: "stopped by the pause" });
  assert.equal(await stopped.getAttribute("data-tone"), "still");
  await shoot(page, "run-paused");
  await page.getByRole("button", { name: "Resume" }).click();
  await bothSee("Verified");
  assert.deepEqual([status().state, phaseOf("goal")], ["verified", "verified"]);
});

test("every question of a run waits in the inbox, of every browser and of the terminal", async () => {
  await goTo(page, "/new");
  await page.getByRole("button", { name: "From a plan" }).click();
  await page.getByLabel("The plan, in YAML").fill(project.plan);
  await page.getByRole("button", { name: "Start the run" }).click();
  await page.waitForURL(/\/runs\//);
  run = page.url().split("/").at(-1) ?? "";
  await bothSeeQuestions(["words", "hands", "once", "whole", "money", "drop", "left"]);
  await shoot(page, "inbox-many");
  const lines = project.here.unstuck("inbox", "--json").out.trim().split("\n");
  assert.equal(lines.length, 7);
});

async function bothSeeQuestions(subtasks: readonly string[]): Promise<void> {
  for (const one of [page, other]) {
    await goTo(one, "/inbox");
    for (const subtask of subtasks) await question(subtask, one).waitFor();
  }
}

test("answers: words, by hand and back, a command once and for the run, skip; the first one stands", async () => {
  await choose("words", "Retry with modifications");
  await question("words").getByRole("textbox").fill(WORDS);
  await shoot(page, "inbox-words");
  await question("words").getByRole("button", { name: "Retry with modifications" }).click();
  await question("words", other).getByText(`answered: retry: ${WORDS}`).first().waitFor();
  const late = await answeredToo({ run, question: "words/c1", answer: { kind: "skip" } });
  assert.equal(late.status, 409, late.text);
  assert.match(late.text, /answered already, by .*the first answer stands/);

  await choose("once", "Allow it once");
  await choose("whole", "Allow it in this run");
  await choose("drop", "Skip this subtask");
  await choose("money", "Retry with modifications");
  await question("money").getByRole("textbox").fill("Once more");
  await page.keyboard.press("Control+Enter");

  await choose("hands", "Handle manually");
  const shown = await question("hands").getByText(/^cd /).first().textContent();
  await shoot(page, "inbox-by-hand");
  await question("hands", other).getByRole("button", { name: "Done by hand: check it" }).waitFor();
  writeFileSync(join(folderIn(shown ?? ""), "hands.txt"), "2\n");
  await choose("hands", "Done by hand: check it");
  for (const subtask of ["words", "once", "whole", "drop", "money", "hands"])
    await question(subtask, other)
      .getByText(/answered:/)
      .first()
      .waitFor();
  await page.getByText("6 answers wait for run").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Resume the run" }).count(), 1);
  await shoot(page, "inbox-many-answered");
});

/** As it is typed into a shell. */
const folderIn = (command: string): string =>
  command
    .replace(/^cd /, "")
    .trim()
    .replace(/^'(.*)'$/, "$1");

/** As the page of another browser would, that shows an old question. */
const answeredToo = (body: object): Promise<{ status: number; text: string }> =>
  other.evaluate(`(async () => {
    const headers = { "content-type": "application/json", "x-unstuck": "1" };
    const body = ${JSON.stringify(JSON.stringify(body))};
    const sent = await fetch("/api/answer", { method: "POST", headers, body });
    return { status: sent.status, text: await sent.text() };
  })()`);

test("answers wait while nobody works on the run and the server is away; then it goes on where it stood", async () => {
  const port = Number(new URL(server.url).port);
  await server.stop();
  server = await serve(project.here, port);
  await goTo(page, `/runs/${run}`);
  await goTo(other, `/runs/${run}`);
  await page.getByRole("button", { name: "Resume" }).click();
  for (const [subtask, state] of AFTER_ANSWERS)
    for (const one of [page, other])
      await one.getByRole("button", { name: new RegExp(`^${subtask}: ${state}`) }).waitFor();
  assert.deepEqual(given(), [
    "drop/c1 skip browser",
    "hands/c1 manual browser",
    "hands/c1 manual browser",
    "money/c1 retry browser",
    "once/c1 allow-once browser",
    "whole/c1 allow-run browser",
    "words/c1 retry browser",
  ]);
  assert.deepEqual(
    AFTER_ANSWERS.map(([subtask]) => phaseOf(subtask)),
    ["verified", "verified", "verified", "verified", "skipped"],
  );
  const [, once = ""] = project.starts("once");
  const [, whole = ""] = project.starts("whole");
  assert.ok(once.includes(`Bash(${COMMANDS.once})`) && once.includes(`Bash(${COMMANDS.whole})`));
  assert.ok(whole.includes(`Bash(${COMMANDS.whole})`) && !whole.includes(`Bash(${COMMANDS.once})`));
});

const AFTER_ANSWERS = [
  ["words", "Verified"],
  ["hands", "Verified"],
  ["once", "Verified"],
  ["whole", "Verified"],
  ["drop", "Skipped"],
] as const;

test("a person's words stand in the next prompt once, marked as theirs", async () => {
  await goTo(page, `/runs/${run}/words/2#prompt`);
  const prompt = page.locator(".prompt");
  await prompt.getByText("Write a 2, no 3").first().waitFor();
  const text = (await prompt.textContent()) ?? "";
  assert.equal(text.split(WORDS).length - 1, 1, text);
  await page.locator(".attempt-facts").getByText("after your answer").first().waitFor();
  await prompt.getByText("Since attempt 2: after your answer").first().waitFor();
  const own = prompt.locator(".prompt-block", { hasText: "Your answer, since attempt 2" });
  assert.ok((await own.textContent())?.includes(WORDS));
  await shoot(page, "prompt-with-words");
  await page.getByRole("tab", { name: "Decisions" }).click();
  await page
    .getByText("Unknown error: the next step of this policy is to ask you")
    .first()
    .waitFor();
  assert.doesNotMatch((await page.locator(".decisions").textContent()) ?? "", /level-\d/);
  await shoot(page, "decisions-by-step");
});

test("a budget is topped up, and the run goes on", async () => {
  await goTo(page, "/inbox");
  await choose("money", "Raise the budget");
  await question("money").getByLabel("More attempts").fill("1");
  await shoot(page, "inbox-top-up");
  await question("money").getByRole("button", { name: "Raise the budget" }).click();
  await page.getByRole("button", { name: "Resume the run" }).click();
  await goTo(other, `/runs/${run}`);
  await other.getByRole("button", { name: /^money: Verified, 2 attempts/ }).waitFor();
  assert.equal(phaseOf("money"), "verified");
  assert.equal(eventsOf(project.here.events(run), "attempt-dispatched").length, 11);
});

test("a run that still asks is ended for good, after it was asked once more", async () => {
  await goTo(page, `/runs/${run}`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Keep it" }).waitFor();
  await shoot(page, "run-cancel");
  await page.getByRole("button", { name: "Keep it" }).click();
  assert.equal(status().state, "needs you");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "End it" }).click();
  await bothSee("Cancelled");
  assert.equal(status().state, "cancelled");
  const [asked] = inputsOf(project.here.events(run), "cancel-requested");
  assert.match(String(asked?.["reason"]), /^cancelled by .* \(browser\)$/);
  await goTo(other, "/inbox");
  await other.getByText("Nothing waits for you").first().waitFor();
  await page.getByRole("button", { name: /^left: Not done/ }).click();
  assert.equal(await page.getByText("Answer its question").count(), 0);
  assert.equal(await page.locator(".timeline-question[data-tone=needs]").count(), 0);
  await shoot(page, "run-cancelled");
});

test("no page reported an error", () => assert.deepEqual(problems, []));
