/**
 * A fleet on this machine, for trying things out: a Restate server from npm and one worker, both on loopback.
 * Invariant: all of it ends when told to, and its data stays in one folder of the home.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { mkdirSync } from "node:fs";
import { findServer, localServer } from "../../engines/restate/local-server.ts";
import { openHome } from "../home.ts";
import { operation, ProblemError } from "../operation.ts";
import { workForFleet, type WorkerHappening } from "./work-for-fleet.ts";

const PORTS = [8080, 9070, 5122] as const;

export type DevHappening =
  WorkerHappening | { readonly kind: "serving"; readonly url: string; readonly blobs: string };

export const devFleet = operation({
  name: "dev-fleet",
  schemas: async () => (await import("./schemas.ts")).devFleet,
  async run(context, input, on: (happening: DevHappening) => void) {
    const program = findServer(context.cwd);
    if (program === undefined)
      throw new ProblemError(
        "not-now",
        "the Restate server is not installed\n  Install it: npm install -g @restatedev/restate-server @restatedev/restate-sdk",
      );
    const folder = join(openHome().root, "dev");
    const blobsFolder = join(folder, "blobs");
    mkdirSync(blobsFolder, { recursive: true });
    const ports = input.anyPort === true ? undefined : PORTS;
    const server = await localServer({ program, folder: join(folder, "restate"), ports });
    await server.start();
    try {
      const blobs = pathToFileURL(blobsFolder).href;
      on({ kind: "serving", url: server.ingressUrl, blobs });
      const work = { url: [server.ingressUrl], admin: [server.adminUrl], blobs };
      const { slots } = input;
      const result = await workForFleet.run(
        context,
        { ...work, identityKeys: [server.identityKey], ...(slots === undefined ? {} : { slots }) },
        on,
      );
      if (!result.ok) throw new ProblemError(result.problem.code, result.problem.message);
      return result.value;
    } finally {
      await server.stop();
    }
  },
});
