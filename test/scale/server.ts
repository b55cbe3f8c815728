/** A Restate server of the tests' own, in a folder that is gone after the test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  findServer,
  localServer,
  type LocalServer,
} from "../../src/engines/restate/local-server.ts";

/** Where server and SDK are installed for these tests. */
export const SCALE_FOLDER = fileURLToPath(new URL(".", import.meta.url));

export const PROGRAM = findServer(SCALE_FOLDER);

/** Why these tests cannot run here, if so. */
export const WITHOUT_RESTATE =
  PROGRAM === undefined && "Restate is not installed for these tests: npm ci --prefix test/scale";

export interface Server extends LocalServer {
  /** Of all its nodes. */
  readonly ingressUrls: readonly string[];
  readonly adminUrls: readonly string[];
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly host?: string;
}

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-restate-"));
  const server = await localServer({ program: PROGRAM ?? "", folder, ...options });
  await server.start();
  return {
    ...server,
    ...{ ingressUrls: [server.ingressUrl], adminUrls: [server.adminUrl] },
    async close() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
