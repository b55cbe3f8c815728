/** Engines of several pretended processes on one Restate server, for the contract suite. */
import { restateEngine, type RestateEngine } from "../../src/engines/restate/engine.ts";
import { loadSdk } from "../../src/engines/restate/sdk.ts";
import type { EngineStore } from "../engines/contract/suite.ts";
import { POLICY } from "../engines/contract/script.ts";
import { SCALE_FOLDER, startServer, type Server } from "./server.ts";

export interface RestateStore extends EngineStore {
  readonly server: Server;
}

export async function restateStore(): Promise<RestateStore> {
  const server = await startServer();
  const sdk = loadSdk(SCALE_FOLDER);
  const living = new Set<RestateEngine>();
  let started = 0;
  return {
    server,
    async start() {
      const engine = await restateEngine({
        ...{ sdk, worker: `w${(started += 1)}`, policyFor: () => POLICY },
        ...{ ingressUrls: [server.ingressUrl], adminUrls: [server.adminUrl] },
        identityKeys: [server.identityKey],
        onProblem: () => undefined,
      });
      living.add(engine);
      return {
        engine,
        async kill() {
          living.delete(engine);
          engine.close();
        },
      };
    },
    async close() {
      for (const engine of living) engine.close();
      await server.close();
    },
  };
}
