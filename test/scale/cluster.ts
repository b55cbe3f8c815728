/** Three Restate servers as one cluster, each with what it keeps in a folder of its own; any one of them may die. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  freePorts,
  localServer,
  type LocalServer,
} from "../../src/engines/restate/local-server.ts";
import { PROGRAM, type Server } from "./server.ts";

export interface Cluster extends Server {
  readonly nodes: readonly LocalServer[];
}

const NODES = [0, 1, 2] as const;

/** What is asked of it without the name of a node is asked of `asked`. */
export async function startCluster(asked: number): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-cluster-"));
  const ports = await freePorts(3 * NODES.length);
  const portsOf = (node: number): readonly number[] => ports.slice(3 * node, 3 * node + 3);
  const metadata = NODES.map((node) => `http://127.0.0.1:${portsOf(node)[2]}`);
  const env = {
    RESTATE_CLUSTER_NAME: "unstuck-test",
    RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(metadata),
    RESTATE_DEFAULT_REPLICATION: "2",
    RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: join(folder, "0", "identity.pem"),
  };
  const nodes: LocalServer[] = [];
  for (const node of NODES)
    nodes.push(
      await localServer({
        ...{ program: PROGRAM ?? "", folder: join(folder, String(node)), ports: portsOf(node) },
        env: { ...env, RESTATE_NODE_NAME: `n${node}`, RESTATE_AUTO_PROVISION: `${node === 0}` },
      }),
    );
  const each = async (what: (node: LocalServer) => Promise<void>): Promise<void> =>
    void (await Promise.all(nodes.map(what)));
  const [first, middle] = [nodes[0], nodes[asked]];
  if (first === undefined || middle === undefined) throw new Error(`there is no node ${asked}`);
  await each((node) => node.start());
  return {
    ...{ ...middle, nodes, identityKey: first.identityKey },
    ingressUrls: nodes.map(({ ingressUrl }) => ingressUrl),
    adminUrls: nodes.map(({ adminUrl }) => adminUrl),
    start: () => each((node) => node.start()),
    stop: () => each((node) => node.stop()),
    kill: () => each((node) => node.kill()),
    async close() {
      await each((node) => node.kill());
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
