/** The workers of a fleet, and how many commands wait for one. */
import type { FleetState } from "../../engines/restate/fleet-messages.ts";
import { ingress } from "../../engines/restate/ingress.ts";
import { FLEET_OBJECT, ONLY } from "../../engines/restate/messages.ts";
import { operation } from "../operation.ts";
import { limitsIn } from "./limit-fleet.ts";
import { engineAddresses } from "./reach.ts";

export const listWorkers = operation({
  name: "list-workers",
  schemas: async () => (await import("./schemas.ts")).listWorkers,
  async run(_, { url }) {
    const engine = ingress({ urls: engineAddresses(url), patienceMs: 3000 });
    const state = await engine.call<FleetState>(FLEET_OBJECT, ONLY, "state");
    const { workers, given, waiting } = state;
    return {
      workers: Object.values(workers).map((worker) => ({
        ...{ id: worker.id, address: worker.address, version: worker.version },
        ...{ labels: [...worker.labels], slots: worker.slots, draining: worker.draining },
        busy: Object.values(given).filter((one) => one.worker === worker.id).length,
        ...{ joinedAt: worker.joinedAt, heardAt: worker.beatAt },
      })),
      waiting: waiting.length,
      limits: limitsIn(state),
    };
  },
});
