/**
 * The HTTP/2 server through which the engine reaches this process's objects. It also reports which process it is, so
 * that others can tell a dead process from an unreachable one. Invariant: closing it closes every connection at once.
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
  /** 0: any free port. */
  readonly port: number;
  /** The name by which others reach it; default: the host. */
  readonly advertised?: string | undefined;
  readonly epoch: string;
  /** Public keys of the engines whose requests are served; any engine's if there is none. */
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
    // Errors are reported to the caller instead.
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

/** `refused`: the machine answers, but nothing listens there. `silent`: nothing is known. */
export type Found = "refused" | "silent" | { readonly epoch: string };

const PROBE_MS = 2000;

/**
 * True only with proof: on this machine nothing listens at its address, or another process does. For another machine's
 * address that would prove nothing, because anything on the way may refuse.
 */
export async function isProvenGone({ address, epoch }: WorkerProcess): Promise<boolean> {
  if (!isHere(address)) return false;
  const found = await probeAddress(address);
  return found === "refused" || (found !== "silent" && found.epoch !== epoch);
}

function isHere(address: string): boolean {
  const { hostname } = new URL(address);
  const own = Object.values(networkInterfaces()).flatMap((one = []) => one);
  return hostname === "localhost" || own.some((one) => one.address === hostname);
}

export function probeAddress(address: string, limitMs: number = PROBE_MS): Promise<Found> {
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
