/**
 * Where the engine reaches this process: an HTTP/2 server with its objects, which also says which process it is, so
 * that others can tell a dead one from one that cannot be reached. Invariant: what is closed is closed at once, with
 * every connection.
 */
import {
  connect,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import type { ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import type { WorkerProcess } from "./messages.ts";
import type { Sdk } from "./sdk.ts";

export interface EndpointOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** By what name others reach it; the host where none is given. */
  readonly advertised?: string | undefined;
  readonly epoch: string;
  /** Public keys of engines whose requests are served; any engine's where there is none. */
  readonly identityKeys?: readonly string[] | undefined;
}

export interface Endpoint {
  readonly address: string;
  close(): void;
}

const EPOCH_PATH = "/unstuck/epoch";

export async function serveObjects(
  sdk: Sdk,
  services: readonly unknown[],
  { host, port, advertised = host, epoch, identityKeys }: EndpointOptions,
): Promise<Endpoint> {
  const handle = sdk.createEndpointHandler({
    services,
    // What goes wrong reaches whoever asked.
    logger: () => undefined,
    ...(identityKeys === undefined ? {} : { identityKeys }),
  });
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer((request: Http2ServerRequest, response: Http2ServerResponse) => {
    if (request.url === EPOCH_PATH) response.end(epoch);
    else handle(request as never, response as never);
  });
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    address: `http://${advertised}:${bound}`,
    close() {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}

/** `refused`: the machine answers, and nothing listens there. `silent`: nothing is known. */
export type Found = "refused" | "silent" | { readonly epoch: string };

const PROBE_MS = 2000;

/**
 * With proof only: on this machine nothing listens at its address, or another process does. Of another machine's
 * address that proves nothing, because anything on the way may refuse.
 */
export async function isProvenGone({ address, epoch }: WorkerProcess): Promise<boolean> {
  if (!isHere(address)) return false;
  const found = await whoIsAt(address);
  return found === "refused" || (found !== "silent" && found.epoch !== epoch);
}

function isHere(address: string): boolean {
  const { hostname } = new URL(address);
  const own = Object.values(networkInterfaces()).flatMap((one = []) => one);
  return hostname === "localhost" || own.some((one) => one.address === hostname);
}

export function whoIsAt(address: string, limitMs: number = PROBE_MS): Promise<Found> {
  return new Promise((resolve) => {
    const session = connect(address);
    const done = (found: Found): void => {
      clearTimeout(late);
      session.destroy();
      resolve(found);
    };
    const late = setTimeout(() => done("silent"), limitMs);
    session.on("error", (error: NodeJS.ErrnoException) =>
      done(error.code === "ECONNREFUSED" ? "refused" : "silent"),
    );
    const request = session.request({ ":path": EPOCH_PATH });
    let epoch = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => void (epoch += text));
    request.on("end", () => done(epoch === "" ? "silent" : { epoch }));
    request.on("error", () => undefined);
    request.end();
  });
}
