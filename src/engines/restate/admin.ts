/**
 * The engine's admin interface: which address serves which objects. The newest registration serves new calls, but calls
 * in progress stay with the registration that began them, so the address of a dead one is redirected to its successor.
 * Invariant: a registration is removed only when it serves no object and has no call in progress.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { IngressError } from "./ingress.ts";

export interface Admin {
  /** Registers an address as the one that serves its objects from now on. */
  register(address: string): Promise<void>;
  /** The address that serves an object; undefined if none does. */
  hostOf(object: string): Promise<string | undefined>;
  /** All registered addresses that were not redirected. */
  addresses(): Promise<readonly string[]>;
  /** Redirects the calls in progress at a dead address to another one. */
  pointAway(dead: string, to: string): Promise<void>;
  /**
   * Removes registrations that serve no object any more and have no call in progress. They belong to processes that are
   * gone: a living one serves at least the object through which it receives its commands.
   */
  removeIdle(): Promise<void>;
}

interface Deployment {
  readonly id: string;
  readonly uri: string;
}

interface Service {
  readonly deployment_id: string;
}

const LIMIT_MS = 10_000;
const BEGUN =
  "SELECT DISTINCT pinned_deployment_id AS id FROM sys_invocation " +
  "WHERE pinned_deployment_id IS NOT NULL AND status <> 'completed'";

export function admin(urls: readonly string[]): Admin {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T | undefined> => {
    let problem = "";
    for (const url of urls) {
      try {
        const response = await fetch(`${url}${path}`, {
          method,
          signal: AbortSignal.timeout(LIMIT_MS),
          headers: { "content-type": "application/json", accept: "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        if (response.status === 404) return undefined;
        if (response.ok) {
          const text = await response.text();
          return text === "" ? undefined : (JSON.parse(text) as T);
        }
        problem = `${url}: ${response.status} ${(await response.text()).slice(0, 300)}`;
      } catch (error) {
        const { message, cause } = error as Error & { cause?: { message?: string } };
        problem = `${url}: ${cause?.message ?? message}`;
      }
    }
    throw new IngressError(problem);
  };
  const isAt = ({ uri }: Deployment, address: string): boolean =>
    uri.replace(/\/$/, "") === address;
  const deployments = async (): Promise<readonly Deployment[]> =>
    (await ask<{ deployments: readonly Deployment[] }>("GET", "/deployments"))?.deployments ?? [];
  return {
    async register(address) {
      for (let tries = 0; ; tries += 1) {
        try {
          return void (await ask("POST", "/deployments", { uri: address, force: true }));
        } catch (error) {
          if (tries >= 20) throw error;
          await sleep(250);
        }
      }
    },
    async hostOf(object) {
      const service = await ask<Service>("GET", `/services/${object}`);
      if (service === undefined) return undefined;
      const found = await ask<Deployment>("GET", `/deployments/${service.deployment_id}`);
      return found?.uri.replace(/\/$/, "");
    },
    async addresses() {
      return [...new Set((await deployments()).map(({ uri }) => uri.replace(/\/$/, "")))];
    },
    async pointAway(dead, to) {
      for (const deployment of await deployments())
        if (isAt(deployment, dead))
          await ask("PATCH", `/deployments/${deployment.id}`, { uri: to });
    },
    async removeIdle() {
      const all = await deployments();
      const found = await ask<{ services: readonly Service[] }>("GET", "/services");
      const serving = new Set(found?.services.map(({ deployment_id }) => deployment_id));
      const idle = all.filter(({ id }) => !serving.has(id));
      if (found === undefined || idle.length === 0) return;
      const begun = await ask<{ rows: readonly { id: string }[] }>("POST", "/query", {
        query: BEGUN,
      });
      const busy = new Set(begun?.rows.map(({ id }) => id));
      if (begun === undefined) return;
      for (const { id } of idle)
        if (!busy.has(id)) await ask("DELETE", `/deployments/${id}?force=true`);
    },
  };
}
