/**
 * The server itself. Invariants: it listens on loopback only, unless TLS or a flag allows more; slow clients are
 * disconnected; closing ends every stream without waiting for clients.
 */
import { createServer as createPlain, type Server } from "node:http";
import { createServer as createSecure } from "node:https";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { refuseServingInsideAttempt } from "../operations/inside-attempt.ts";
import { takeReplies } from "../operations/notify/replies.ts";
import { ProblemError } from "../operations/operation.ts";
import { withHome } from "../operations/runs/open-run.ts";
import { homeSharing } from "../operations/runs/shared-home.ts";
import { openFeed } from "../operations/serve/feed.ts";
import { keptList } from "../operations/serve/kept-list.ts";
import { keptRuns } from "../operations/serve/kept-runs.ts";
import { createMeter } from "../operations/serve/measure.ts";
import { keepServed } from "../operations/serve/served.ts";
import { readTextFile } from "../operations/text.ts";
import { userConfig } from "../operations/user-config.ts";
import { createApp } from "./app.ts";
import { isLoopback } from "./guard.ts";
import { pageFrom } from "./page.ts";

const DEFAULT_PORT = 7417;

export interface ServeOptions {
  /** The address to listen on. */
  readonly host: string;
  /** 0: any free port. Undefined: the default port, or any free one if another program uses it. */
  readonly port?: number | undefined;
  /** Host names, besides addresses, under which browsers may reach this server. */
  readonly names: readonly string[];
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly insecureBeyondLoopback: boolean;
  readonly cwd: string;
  readonly report: (error: unknown) => void;
  /** Called with the address once it listens. */
  readonly ready: (url: string) => void;
  /** Aborting it ends the server. */
  readonly until: AbortSignal;
  /** The folder of the page; default: next to this program. */
  readonly webFolder?: string;
}

const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const HEADER_BYTES_MAX = 64 * 1024;

export function serveHome(options: ServeOptions): Promise<void> {
  refuseServingInsideAttempt();
  refuseOpenDoor(options);
  const { cwd, report, names, tls } = options;
  return withHome(async (open) => {
    const site = { scheme: tls === undefined ? "http" : "https", names } as const;
    const page = pageFrom(options.webFolder ?? join(import.meta.dirname, "..", "web"));
    const kept = keptList(open, cwd);
    const sharing = homeSharing(open, keptRuns(open.journal));
    const app = createApp({
      ...{ site, page, cwd, report },
      feed: openFeed(open, kept),
      kept,
      measure: createMeter(open),
      sharing,
    });
    const server = serverFor(options, getRequestListener(app.fetch));
    const { port: asked } = options;
    const port = await listening(server, options, asked ?? DEFAULT_PORT).catch((error: unknown) => {
      if (asked !== undefined || !isTaken(error)) throw listenProblem(error, options);
      return listening(server, options, 0);
    });
    const url = `${site.scheme}://${shownHost(options)}:${port}`;
    const forget = keepServed(url);
    const { notify: settings = {} } = userConfig();
    const leaving = new AbortController();
    const replies = sharing(() =>
      takeReplies({ home: open.home, settings, context: { cwd }, until: leaving.signal }),
    );
    try {
      options.ready(url);
      await new Promise<void>((resolve) => {
        if (options.until.aborted) resolve();
        options.until.addEventListener("abort", () => resolve(), { once: true });
      });
    } finally {
      forget();
      leaving.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, replies]);
    }
  });
}

function refuseOpenDoor({ host, tls, insecureBeyondLoopback }: ServeOptions): void {
  if (isLoopback(host) || host === "localhost" || tls !== undefined || insecureBeyondLoopback)
    return;
  throw new ProblemError(
    "bad-input",
    `${host} can be reached by other machines: give --tls-cert and --tls-key, or, where the network ` +
      "is yours alone, --insecure-beyond-loopback",
  );
}

function serverFor({ tls }: ServeOptions, listener: ReturnType<typeof getRequestListener>): Server {
  const limits = {
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    connectionsCheckingInterval: 5000,
  };
  const take: Parameters<typeof createPlain>[1] = (incoming, outgoing) =>
    void listener(incoming, outgoing);
  if (tls === undefined) return createPlain(limits, take);
  const [cert, key] = [readTextFile(tls.cert), readTextFile(tls.key)];
  return createSecure({ ...limits, cert, key }, take);
}

function listening(server: Server, { host }: ServeOptions, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

const isTaken = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === "EADDRINUSE";

function listenProblem(error: unknown, { host, port = DEFAULT_PORT }: ServeOptions): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (isTaken(error))
    return new ProblemError("not-now", `port ${port} is in use; --port 0 takes any that is free`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new ProblemError("bad-input", `${host} is not an address of this machine`);
  if (code === "EACCES")
    return new ProblemError("bad-input", `port ${port} is reserved; choose one above 1023`);
  return error;
}

/** The host in the address that a person opens. */
function shownHost({ host, names }: ServeOptions): string {
  const [name] = names;
  if (name !== undefined) return name;
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
