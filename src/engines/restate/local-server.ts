/**
 * A local Restate server: the binary from npm, on loopback, without telemetry, with a key by which workers recognize
 * its requests. Invariants: it ends with the process that started it, even if that is killed; its data stays in its
 * folder.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Kills the server when its starter is gone. Next to this file: TypeScript in a checkout, bundled in the package. */
export const TETHER = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "tether.ts" : "tether.cjs",
);
const SERVER_PACKAGE = "@restatedev/restate-server";

export interface LocalServer {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  /** The key with which workers verify its requests. */
  readonly identityKey: string;
  start(): Promise<void>;
  /** Without any notice, like a machine that fails. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface LocalServerOptions {
  readonly program: string;
  readonly folder: string;
  /** Ports of ingress, admin interface and node; any free ones if none are given. */
  readonly ports?: readonly number[] | undefined;
  /** The address it listens on; loopback unless other machines are to reach it. */
  readonly host?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The server's binary, next to this package or in the working folder; undefined if it is not installed. */
export function findServer(folder: string): string | undefined {
  const name = `${SERVER_PACKAGE}-${process.platform}-${process.arch}`;
  for (const from of [import.meta.filename, join(folder, "package.json")]) {
    try {
      const main = createRequire(from).resolve(`${name}/package.json`);
      const program = join(dirname(main), "bin", "restate-server");
      if (existsSync(program)) return program;
    } catch {
      // not installed there
    }
  }
  return undefined;
}

/**
 * A worker that is cut off is noticed in seconds; the server's default of a minute would delay everything that worker
 * decides.
 */
const KEEP_ALIVE = {
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: "3s",
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: "3s",
  RESTATE_WORKER__INVOKER__CONNECT_TIMEOUT: "3s",
};

export async function localServer(options: LocalServerOptions): Promise<LocalServer> {
  const { program, folder, host = "127.0.0.1" } = options;
  const [ingress, admin, node] = options.ports ?? (await freePorts(3));
  const ingressUrl = `http://${host}:${ingress}`;
  const adminUrl = `http://${host}:${admin}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { file, publicKey } = identity(folder);
  let child: ChildProcess | undefined;
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    const ending = child;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = new Promise((resolve) => ending.once("exit", resolve));
    if (signal === "SIGTERM") ending.kill(signal);
    else ending.stdin?.destroy();
    await gone;
  };
  return {
    ...{ ingressUrl, adminUrl, identityKey: publicKey },
    async start() {
      const command = [program, "--base-dir", join(folder, "data")];
      child = spawn(process.execPath, [TETHER, ...command], {
        stdio: ["pipe", "ignore", "ignore"],
        env: {
          PATH: process.env["PATH"],
          DO_NOT_TRACK: "1",
          RESTATE_DISABLE_TELEMETRY: "true",
          RESTATE_NODE_NAME: "unstuck",
          RESTATE_LISTEN_MODE: "tcp",
          RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
          RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
          RESTATE_INGRESS__BIND_ADDRESS: `${host}:${ingress}`,
          RESTATE_ADMIN__BIND_ADDRESS: `${host}:${admin}`,
          RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: file,
          RESTATE_DEFAULT_NUM_PARTITIONS: "4",
          ...KEEP_ALIVE,
          ...options.env,
        },
      });
      for (let look = 0; look < 600; look += 1) {
        if (child.exitCode !== null) break;
        if (await answers(`${adminUrl}/health`, `${ingressUrl}/restate/health`)) return;
        await sleep(100);
      }
      throw new Error("the Restate server did not start");
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

async function answers(...urls: readonly string[]): Promise<boolean> {
  for (const url of urls) {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok !== true) return false;
  }
  return true;
}

function identity(folder: string): { readonly file: string; readonly publicKey: string } {
  const file = join(folder, "identity.pem");
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  }
  const { x = "" } = createPublicKey(createPrivateKey(readFileSync(file))).export({
    format: "jwk",
  });
  return { file, publicKey: `publickeyv1_${base58(Buffer.from(x, "base64url"))}` };
}

const DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

function base58(bytes: Buffer): string {
  let digits = "";
  for (let rest = BigInt(`0x${bytes.toString("hex")}`); rest > 0n; rest /= 58n)
    digits = `${DIGITS[Number(rest % 58n)]}${digits}`;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(Math.max(0, zeros)) + digits;
}

export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports: number[] = [];
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  return ports;
}
