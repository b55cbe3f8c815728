// proves: U24, E12
// The page of a laptop that looks at a fleet: a run that a worker works on is watched, decided on and read in a real browser.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { chromiumPath, launch, serve, signedIn } from "../browser/served-page.ts";
import { newFleet, planOf } from "./fleet.ts";
import { WITHOUT_RESTATE } from "./server.ts";

const WITHOUT_CHROMIUM =
  chromiumPath() === undefined && "there is no Chromium here: apt-get install chromium";

test(
  "U24: the page of a laptop shows a fleet's run as it goes on, takes an answer and sees it verified",
  { skip: WITHOUT_RESTATE || WITHOUT_CHROMIUM },
  async () => {
    const fleet = await newFleet();
    await fleet.worker("w1", ["--slots", "2"]);
    const server = await serve({ path: fleet.clone(), env: fleet.laptopEnv });
    after(() => server.stop());
    const browser = await launch();
    after(() => browser.close());
    const problems: string[] = [];
    const { page } = await signedIn(browser, server.link, problems);
    await page.getByText("No runs yet").first().waitFor();

    const [begin, repaired] = ["begin", "repaired"].map((name) => join(fleet.folder, name));
    const waits = `while [ ! -e ${begin} ]; do sleep 0.1; done`;
    const work = `${waits}; echo looking for the spare part; test -e ${repaired} || exit 1`;
    const plan = planOf(1, work, 1).replace("policy: standard", "policy: hierarchical");
    const run = await fleet.submit(plan);
    const at = (path: string): Promise<unknown> => page.goto(new URL(path, server.url).href);
    await page.getByRole("link", { name: /write the files/ }).click();
    await page.waitForURL(new RegExp(`/runs/${run}`));
    await page.getByRole("button", { name: /^s1: Running/ }).waitFor();

    writeFileSync(begin ?? "", "");
    await page.getByRole("button", { name: /^s1: Needs you/ }).waitFor();
    await at("/inbox");
    const question = page.getByRole("article", { name: /subtask s1\b/i });
    writeFileSync(repaired ?? "", "");
    await question.getByRole("button", { name: "Retry with modifications" }).click();
    await question.getByRole("textbox").fill("The part is there now");
    await question.getByRole("button", { name: "Retry with modifications" }).click();

    await at(`/runs/${run}`);
    await page.getByRole("button", { name: /^s1: Verified, 2 attempts/ }).waitFor();
    await page.getByText("Verified: every check passes on the result.").first().waitFor();
    await page.getByRole("button", { name: /^s1: Verified/ }).click();
    await page.locator(".decision").first().waitFor();
    await page.locator("a.ribbon-attempt, .ribbon-attempt a").first().click();
    await page.getByRole("tab", { name: "Transcript" }).click();
    await page.getByText("looking for the spare part").first().waitFor();
    await page.getByRole("tab", { name: "Prompt" }).click();
    await page.getByText("write s1").first().waitFor();

    assert.deepEqual(await fleet.ended(run), { kind: "verified" });
    const answers = (await fleet.events(run)).flatMap(({ kind, by }) =>
      kind === "checkpoint-closed" ? [by] : [],
    );
    assert.match(String(answers), /\(browser\)$/);
    assert.deepEqual(problems, []);
  },
);
