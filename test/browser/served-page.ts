/**
 * The page as a person has it: `unstuck serve` as a process of its own, and Debian's Chromium, driven. Pages report what
 * their console says of errors; screenshots of every state go into the folder UNSTUCK_SHOTS names.
 */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { LAUNCHER } from "../cli/command.ts";
import type { Repository } from "../end-to-end/run/repository.ts";

export const PATIENCE_MS = 120_000;

const CHROMIUMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser of this machine, or nothing. */
export function chromiumPath(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":");
  const named = process.env["UNSTUCK_CHROMIUM"];
  const found = folders.flatMap((folder) => CHROMIUMS.map((name) => join(folder, name)));
  return [...(named === undefined ? [] : [named]), ...found].find((path) => existsSync(path));
}

export const launch = (more: readonly string[] = []): Promise<Browser> => {
  const executablePath = chromiumPath();
  assert.ok(executablePath !== undefined, "there is no Chromium here");
  // A container's root has no sandbox of its own.
  const args = [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...more];
  return chromium.launch({ executablePath, args });
};

export interface Server {
  readonly url: string;
  readonly link: string;
  readonly stop: () => Promise<void>;
}

export async function serve(here: Pick<Repository, "path" | "env">, port = 0): Promise<Server> {
  const child: ChildProcess = spawn(
    process.execPath,
    [LAUNCHER, "serve", "--port", String(port), "--json"],
    { cwd: here.path, env: { ...process.env, ...here.env }, stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  let said = "";
  const { url, link } = await new Promise<{ url: string; link: string }>((resolve, reject) => {
    child.stdout?.on("data", (piece: Buffer) => {
      said += piece.toString();
      if (said.includes("\n")) resolve(JSON.parse(said) as { url: string; link: string });
    });
    child.on("exit", () => reject(new Error(`unstuck serve ended: ${said}`)));
  });
  return {
    url,
    link,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** A fresh link for another browser, as `unstuck open` makes it. */
export function freshLink(here: Repository): string {
  const { out } = here.unstuckWith({ BROWSER: "true" }, "open", "--json");
  return (JSON.parse(out) as { readonly link: string }).link;
}

/** A browser of its own, signed in. */
export async function signedIn(
  browser: Browser,
  link: string,
  problems: string[],
): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await watched(context, problems);
  await page.goto(link);
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  return { context, page };
}

/** A page whose errors are kept. */
export async function watched(context: BrowserContext, problems: string[]): Promise<Page> {
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      problems.push(message.text());
  });
  return page;
}

export const VIEWS = [
  [1280, 800, "light"],
  [1280, 800, "dark"],
  [390, 844, "light"],
  [390, 844, "dark"],
] as const;
type View = (typeof VIEWS)[number];

export async function seenAs(page: Page, [width, height, colorScheme]: View): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
}

/** The second key has to follow the first within a second: on a machine that is held up, both are pressed again. */
export async function goByKeys(page: Page, second: string, path: string): Promise<void> {
  while (new URL(page.url()).pathname !== path)
    await Promise.all([page.keyboard.press("g"), page.keyboard.press(second)]);
}

const shots = process.env["UNSTUCK_SHOTS"];

/** In light and dark, on a desk and on a phone: `<name>-390-dark.png`. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return;
  mkdirSync(shots, { recursive: true });
  for (const view of VIEWS) {
    await seenAs(page, view);
    // Charts are drawn anew.
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(shots, `${name}-${view[0]}-${view[2]}.png`) });
  }
  await seenAs(page, VIEWS[0]);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What stands in the way of people who use the page by other means, if it is serious. */
export async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate<Violation[]>("axe.run().then((r) => r.violations)");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
    );
}

/** Nothing in the way, nothing wider than the screen, in the two views that differ most; and its picture. */
export async function assertFit(page: Page, name: string): Promise<void> {
  for (const view of [VIEWS[0], VIEWS[3]]) {
    await seenAs(page, view);
    assert.deepEqual(await barriers(page), [], name);
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
  }
  await seenAs(page, VIEWS[0]);
  await shoot(page, name);
}

/** Markup in a text was taken for markup. */
export const wasAttacked = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>("window.attacked !== undefined");
