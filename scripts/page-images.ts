/**
 * Makes the screenshots of the page for the README, from a run of the browser tests' project without its hostile texts:
 * `npm run build && node scripts/run.js page-images`. Review them before committing.
 */
import { mkdirSync } from "node:fs";
import { demoProject } from "../test/browser/demo-project.ts";
import { launch, serve, signedIn } from "../test/browser/served-page.ts";

const OUT = "docs/images";

mkdirSync(OUT, { recursive: true });
const { here, plan, letGo } = demoProject("");
letGo();
const server = await serve(here);
const browser = await launch();
try {
  const { page } = await signedIn(browser, server.link, []);
  here.unstuck("run", plan, "--trust", "--detach");
  await page.getByRole("link", { name: /Needs you/ }).click();
  await page.getByRole("button", { name: /^build: Verified/ }).waitFor();
  await page.getByRole("button", { name: /^guess: Verified/ }).click();
  await page.locator(".decision[open]").waitFor();
  await page.getByRole("heading", { name: "Two by two" }).waitFor();
  await page.screenshot({ path: `${OUT}/run.png` });
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await page.getByText("Which of the two spellings").waitFor();
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.screenshot({ path: `${OUT}/inbox.png` });
} finally {
  await browser.close();
  await server.stop();
  here.remove();
}
