// proves: U14, U15
// What attacks a person through their browser: texts that others write, pages of other sites, a stolen cookie.
import assert from "node:assert/strict";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { inputsOf } from "../end-to-end/run/runs.ts";
import { HOSTILE, hostileProject, type HostileProject } from "./security-project.ts";
import { freshLink, launch, PATIENCE_MS, serve, shoot, signedIn } from "./served-page.ts";
import { watched, type Server } from "./served-page.ts";

let project: HostileProject;
let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Another program of this machine, or another site, by a name that leads here. */
let foreign: HttpServer;
let foreignPort = 0;
const problems: string[] = [];
const EVIL = "evil.test";

before(async () => {
  project = await hostileProject();
  server = await serve(project.here);
  browser = await launch([`--host-resolver-rules=MAP *.test 127.0.0.1`]);
  ({ context, page } = await signedIn(browser, server.link, problems));
  foreign = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>a site</p>");
  });
  await new Promise<void>((done) => foreign.listen(0, "127.0.0.1", done));
  foreignPort = (foreign.address() as AddressInfo).port;
});

after(async () => {
  await browser.close();
  await server.stop();
  foreign.closeAllConnections();
  foreign.close();
  project.here.remove();
});

const address = (path: string): string => `${new URL(server.url).origin}${path}`;

/** Elements that only markup in a text could have made. */
const injected = (where: Page): Promise<number> =>
  where.evaluate<number>(
    `document.querySelectorAll("hostile-text, img[src='x'], svg[onload], [onerror]").length +
      (window.attacked === undefined ? 0 : 1)`,
  );

function pathsOf(run: string): readonly string[] {
  const subtasks = ["error", "red", "gated", "done"];
  const tabs = ["", "#checks", "#changes", "#prompt", "#decisions"];
  return [
    ...["/", "/inbox", "/insights", "/new"],
    ...subtasks.map((subtask) => `/runs/${run}/${subtask}`),
    ...subtasks.map((subtask) => `/runs/${run}/${subtask}/1`),
    ...tabs.slice(1).map((tab) => `/runs/${run}/red/1${tab}`),
  ];
}

async function visited(where: Page): Promise<readonly string[]> {
  const showing: string[] = [];
  for (const path of pathsOf(project.run)) {
    await where.goto("about:blank");
    await where.goto(address(path));
    await where.locator(".page").first().waitFor();
    await where.locator(".loading").first().waitFor({ state: "detached" });
    await where.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    assert.equal(await injected(where), 0, path);
    const text = await where.evaluate<string>("document.body.textContent");
    if (text.includes("<hostile-text>")) showing.push(path.replace(project.run, "run"));
  }
  return showing;
}

test("no text of a real run becomes an element, though nothing else would stop its scripts", async () => {
  const open = await browser.newContext({ bypassCSP: true });
  open.setDefaultTimeout(PATIENCE_MS);
  const bare = await watched(open, problems);
  await bare.goto(freshLink(project.here));
  await bare.getByRole("heading", { name: "Runs" }).waitFor();
  // Proof that this test sees what it is made for.
  await bare.evaluate(`document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(HOSTILE)})`);
  assert.ok((await injected(bare)) > 2);
  const showing = await visited(bare);
  await shoot(bare, "hostile-texts");
  assert.deepEqual(
    showing.filter((path) => !path.startsWith("/runs/run/gated/")),
    pathsOf("run").filter(
      (path) => !["/insights", "/new"].includes(path) && !path.startsWith("/runs/run/gated/"),
    ),
  );
  // And whatever else a server may tell: every text of every answer.
  await bare.route("**/api/*", poisoned);
  await visited(bare);
  await open.unrouteAll({ behavior: "ignoreErrors" });
  await bare.unrouteAll({ behavior: "ignoreErrors" });
  await open.close();
});

/** What the page takes for more than text: names it looks things up by. Times are such too. */
const NAMES = new Set([
  ...["id", "run", "kind", "state", "phase", "answer", "recommendation", "default", "trigger"],
  ...["subtask", "stage", "code", "category", "outcome", "measure", "dependsOn", "status", "end"],
]);

const withMarkup = (value: unknown, key = ""): unknown => {
  const isName = NAMES.has(key) || /^\d{4}-\d\d-\d\d/.test(String(value));
  if (typeof value === "string") return isName ? value : `${value} ${HOSTILE}`;
  if (Array.isArray(value)) return value.map((one) => withMarkup(one, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withMarkup(one, name)]),
  );
};

async function poisoned(route: Route): Promise<void> {
  const response = await route.fetch();
  const type = response.headers()["content-type"] ?? "";
  if (!type.includes("json")) return route.fulfill({ response });
  return route.fulfill({ response, json: withMarkup(await response.json()) });
}

test("nor in a report, opened as a file", async () => {
  const { out } = project.here.unstuck("report", project.run, "--format", "html");
  const lone = await (await browser.newContext({ bypassCSP: true })).newPage();
  await lone.setContent(out);
  assert.equal(await injected(lone), 0);
  assert.ok((await lone.evaluate<string>("document.body.textContent")).includes("<hostile-text>"));
  await lone.context().close();
});

test("a page of another site, or of another port of this machine, reads and changes nothing", async () => {
  for (const host of [EVIL, "127.0.0.1"]) {
    const site = await context.newPage();
    await site.goto(`http://${host}:${foreignPort}/`);
    const answers: string[] = [];
    site.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (response.url().startsWith(address("/"))) answers.push(`${pathname} ${response.status()}`);
    });
    const got = await site.evaluate<Record<string, string>>(attack(server.url, project.run));
    assert.deepEqual(got, {
      ...{ read: "refused", change: "refused", asked: "refused", stream: "refused" },
      ...{ script: "refused", frame: "nothing", opened: "nothing", form: "sent" },
    });
    const through = answers.filter((one) => !/ (?:403|405)$/.test(one) && one.startsWith("/api/"));
    assert.deepEqual(through, [], host);
    assert.ok(answers.includes("/api/cancel 403"), "the form did reach the server");
    await site.close();
  }
  const told = inputsOf(project.here.events(project.run), "cancel-requested");
  assert.deepEqual([told.length, stateNow()], [0, "needs you"]);
});

const stateNow = (): string =>
  (JSON.parse(project.here.unstuck("status", project.run, "--json").out) as { state: string })
    .state;

/** What a foreign page can try, with whatever the browser sends along by itself. */
const attack = (url: string, run: string): string => `(async () => {
  const at = ${JSON.stringify(url.replace(/\/$/, ""))};
  const body = ${JSON.stringify(JSON.stringify({ run }))};
  const credentials = "include";
  const tried = (what) => what.then((got) => got, () => "refused");
  const loaded = (element, name) => new Promise((resolve) => {
    element.onload = () => resolve("loaded");
    element.onerror = () => resolve("refused");
    element[name] = at + "/api/list";
    document.head.append(element);
  });
  const read = await tried(fetch(at + "/api/list", { credentials }).then((r) => r.text()));
  const change = await tried(fetch(at + "/api/cancel", { method: "POST", mode: "no-cors", credentials, body }).then((r) => r.type));
  const headers = { "content-type": "application/json", "x-unstuck": "1" };
  const asked = await tried(fetch(at + "/api/cancel", { method: "POST", credentials, headers, body }).then((r) => r.text()));
  const stream = await new Promise((resolve) => {
    const events = new EventSource(at + "/api/events", { withCredentials: true });
    events.onopen = () => resolve("open");
    events.onerror = () => { events.close(); resolve("refused"); };
  });
  const script = await loaded(document.createElement("script"), "src");
  const iframe = document.createElement("iframe");
  iframe.name = "inside";
  const isLoaded = new Promise((resolve) => (iframe.onload = resolve));
  iframe.src = at + "/";
  document.body.append(iframe);
  await isLoaded;
  let frame = "nothing";
  try { frame = iframe.contentDocument?.body?.textContent || "nothing"; } catch { frame = "nothing"; }
  const other = window.open(at + "/");
  await new Promise((resolve) => setTimeout(resolve, 500));
  let opened = "nothing";
  try { opened = other.document.body.textContent || "nothing"; } catch { opened = "nothing"; }
  other?.close();
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: at + "/api/cancel", enctype: "text/plain", target: "inside" });
  const field = document.createElement("input");
  Object.assign(field, { name: body.slice(0, -1) + ',"x":"', value: '"}' });
  form.append(field);
  document.body.append(form);
  const isSent = new Promise((resolve) => (iframe.onload = resolve));
  form.submit();
  await isSent;
  return { read, change, asked, stream, script, frame, opened, form: "sent" };
})()`;

test("a name that somebody else made lead here is refused, and nothing of a run is told", async () => {
  const rebound = await context.newPage();
  const port = new URL(server.url).port;
  const answer = await rebound.goto(`http://${EVIL}:${port}/`);
  assert.equal(answer?.status(), 403);
  const list = await rebound.evaluate<number>("fetch('/api/list').then((r) => r.status)");
  assert.equal(list, 403);
  await rebound.close();
});

test("a cookie is out of reach of scripts; once signed out, a stolen one is worth nothing", async () => {
  const [cookie] = await context.cookies(server.url);
  assert.partialDeepStrictEqual(cookie, { httpOnly: true, sameSite: "Strict" });
  await page.goto(server.url);
  const held = await page.evaluate<string>(
    "document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + location.href",
  );
  assert.ok(!held.includes(cookie?.value ?? "?"));
  const thief = await browser.newContext();
  thief.setDefaultTimeout(PATIENCE_MS);
  await thief.addCookies([cookie ?? assert.fail()]);
  const theirs = await thief.newPage();
  await theirs.goto(server.url);
  await theirs.getByRole("heading", { name: "Runs" }).waitFor();
  const headers = `{ "content-type": "application/json", "x-unstuck": "1" }`;
  await page.evaluate(
    `fetch("/api/sign-out", { method: "POST", headers: ${headers}, body: "{}" })`,
  );
  await theirs.goto(address("/inbox"));
  await theirs.getByRole("heading", { name: "Sign in from your terminal" }).waitFor();
  await theirs.goto(server.link);
  await theirs.getByRole("alert").waitFor();
  await thief.close();
});

test("no page reported an error", () => assert.deepEqual(problems, []));
