/**
 * The HTTP face: a request is authorized first, then a table says which operation answers it. Invariants: every
 * response has the strict headers; a client that is not signed in learns nothing of any run; a change is refused to a
 * process started by an attempt of this home, where the system can identify the process.
 */
import { statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { isAbsolute } from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Context as Caught, MiddlewareHandler } from "hono";
import { ProblemError } from "../operations/operation.ts";
import type { Feed } from "../operations/serve/feed.ts";
import type { KeptList } from "../operations/serve/kept-list.ts";
import type { Figures } from "../operations/serve/measure.ts";
import { refuseAttemptPeer } from "../operations/serve/peer.ts";
import { cleanLine } from "../operations/text.ts";
import { userName } from "../operations/user-config.ts";
import { answeredByButton, askedOnce } from "./answer-page.ts";
import { callOperation, failure, type OperationCall } from "./call.ts";
import { allEvents, lastNumberOf, runEvents } from "./event-stream.ts";
import {
  ANSWER_BY_TOKEN_PATH,
  callerOf,
  foreignRequest,
  lacksPageHeader,
  notFromPage,
  triesCounter,
  type Caller,
  type Site,
  signIn,
  signOut,
} from "./guard.ts";
import { cachedListJson, refusal, cachedJson } from "./answers.ts";
import { openApi } from "./openapi.ts";
import { PAGE_HEADERS, type Page } from "./page.ts";
import { prometheusText, PROMETHEUS_TYPE } from "./prometheus.ts";
import { CHANGES, READS, type AnyOperation } from "./routes.ts";

export interface Served {
  readonly site: Site;
  readonly feed: Feed;
  readonly kept: KeptList;
  readonly measure: () => Promise<Figures>;
  readonly page: Page;
  /** Runs `body` with the home kept open, so that operations within need not reopen it. */
  readonly sharing: <T>(body: () => T) => T;
  /** Where operations look for a repository unless the request names another folder. */
  readonly cwd: string;
  /** Receives errors that only the server's operator should see. */
  readonly report: (error: unknown) => void;
}

interface Env {
  Bindings: HttpBindings;
  Variables: { caller: Caller };
}

const STREAMS_MAX = 1000;

const isStream = (c: Caught<Env>): boolean =>
  (c.req.header("accept") ?? "").includes("text/event-stream");

export function createApp(served: Served): Hono<Env> {
  const { site, feed, kept, page, report } = served;
  const tries = triesCounter();
  const app = new Hono<Env>();
  let streams = 0;
  /** The response that refuses another stream, or undefined if there is room. */
  const openStream = (c: Caught<Env>): Response | undefined => {
    if (streams >= STREAMS_MAX)
      return refusal({ code: "not-now", message: "too many event streams are open" }, 503);
    streams += 1;
    c.env.outgoing.once("close", () => (streams -= 1));
    return undefined;
  };
  const triedIn = (c: Caught<Env>) => ({ report, wrong: () => tries.failed(c.env.incoming) });

  app.use(async (c, next) => {
    const foreign = foreignRequest(site, c.env.incoming);
    if (foreign === undefined) await (isStream(c) ? next() : served.sharing(next));
    else c.res = foreign;
    for (const [name, value] of Object.entries(PAGE_HEADERS))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  });
  app.post("/api/sign-in", (c) => signIn(site, c.env.incoming, c.req.raw, tries));
  app.get("/answer", (c) => askedOnce(c.req.query("token") ?? "", triedIn(c)));
  app.post(ANSWER_BY_TOKEN_PATH, (c) => {
    refuseAttemptPeer("answering", peerOf(c.env.incoming));
    return answeredByButton(c.req.raw, { cwd: served.cwd }, triedIn(c));
  });
  let description: Promise<object> | undefined;
  app.get("/openapi.json", async () => cachedJson(await (description ??= openApi())));
  const signedIn: MiddlewareHandler<Env> = async (c, next) => {
    const caller = callerOf(c.env.incoming, tries);
    if (caller instanceof Response) return caller;
    const isPost = c.req.method === "POST";
    if (isPost && caller.isBrowser && lacksPageHeader(c.env.incoming)) return notFromPage();
    c.set("caller", caller);
    await next();
    return undefined;
  };
  app.use("/api/*", signedIn);
  app.get("/metrics", signedIn, async () => {
    const text = prometheusText(await served.measure());
    return new Response(text, { headers: { "content-type": PROMETHEUS_TYPE } });
  });
  app.post("/api/sign-out", (c) => signOut(c.var.caller));
  app.get("/api/events", async (c) => {
    const run = c.req.query("run");
    const lastId = lastNumberOf(c.req.raw);
    if (run !== undefined && !(await feed.knows(run)))
      return refusal({ code: "not-found", message: "there is no run of this id; see /api/list" });
    const full = openStream(c);
    if (full !== undefined) return full;
    return run === undefined ? allEvents(feed, lastId) : runEvents(feed, run, lastId);
  });
  const call = async (
    c: Caught<Env>,
    operation: AnyOperation,
    answer?: OperationCall["answer"],
  ): Promise<Response> => {
    const full = isStream(c) ? openStream(c) : undefined;
    if (full !== undefined) return full;
    return callOperation(operation, {
      ...{ request: c.req.raw, report, answer },
      context: {
        cwd: folderOf(c.req.query("folder")) ?? served.cwd,
        who: nameOf(c.var.caller),
        signal: c.req.raw.signal,
      },
    });
  };
  const answers: Readonly<Record<string, OperationCall["answer"]>> = {
    ...{ list: cachedListJson("runs"), read: cachedJson, outline: cachedJson },
  };
  for (const [name, operation] of Object.entries({ ...READS, list: kept.list })) {
    app.get(`/api/${name}`, (c) => call(c, operation, answers[name]));
    app.post(`/api/${name}`, (c) => call(c, operation, answers[name]));
  }
  for (const [name, operation] of Object.entries(CHANGES))
    app.post(`/api/${name}`, (c) => {
      refuseAttemptPeer(name, peerOf(c.env.incoming));
      return call(c, operation).finally(kept.lookAgain);
    });
  app.all("/api/*", (c) => {
    const name = c.req.path.slice("/api/".length);
    const isChange = Object.hasOwn(CHANGES, name) || c.req.path === ANSWER_BY_TOKEN_PATH;
    return isChange
      ? refusal({ code: "bad-input", message: `${name} changes something: use POST` }, 405, {
          allow: "POST",
        })
      : refusal({ code: "not-found", message: "there is no such route; see /openapi.json" });
  });
  app.get("/*", (c) => page.answer(c.req.raw));
  app.notFound(() => refusal({ code: "not-found", message: "there is nothing here" }));
  app.onError((error) => failure(error, report));
  return app;
}

function folderOf(given: string | undefined): string | undefined {
  if (given === undefined || isFolder(given)) return given;
  throw new ProblemError("bad-input", `${cleanLine(given, 200)} is no folder of this machine`);
}

const isFolder = (path: string): boolean =>
  isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The caller's name as it is recorded with a decision. */
const nameOf = ({ access, isBrowser }: Caller): string =>
  isBrowser ? `${userName()} (browser)` : `${access.name} (token)`;

const peerOf = ({ socket }: IncomingMessage) => ({
  address: socket.remoteAddress ?? "",
  port: socket.remotePort ?? 0,
  localPort: socket.localPort ?? 0,
});
