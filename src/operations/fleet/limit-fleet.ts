/**
 * Sets how many attempts of a repository, an agent or a provider may run at once or begin per minute, over all workers.
 */
import { defined } from "../../core/defined.ts";
import type { FleetState, LimitedBy } from "../../engines/restate/fleet-messages.ts";
import { ingress } from "../../engines/restate/ingress.ts";
import { limitKey } from "../../engines/restate/limits.ts";
import { FLEET_OBJECT, ONLY } from "../../engines/restate/messages.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { operation } from "../operation.ts";
import { engineAddresses } from "./reach.ts";

export const limitFleet = operation({
  name: "limit-fleet",
  schemas: async () => (await import("./schemas.ts")).limitFleet,
  async run(_, { url, by, name, atOnce, perMinute }) {
    refuseInsideAttempt("limit");
    const engine = ingress({ urls: engineAddresses(url), patienceMs: 3000 });
    const limit = defined({ atOnce, perMinute });
    await engine.call(FLEET_OBJECT, ONLY, "limit", {
      key: limitKey(by, name),
      ...(Object.keys(limit).length === 0 ? {} : { limit }),
    });
    return { limits: limitsIn(await engine.call<FleetState>(FLEET_OBJECT, ONLY, "state")) };
  },
});

export const limitsIn = ({ limits }: FleetState) =>
  Object.entries(limits).map(([key, limit]) => {
    const space = key.indexOf(" ");
    return { by: key.slice(0, space) as LimitedBy, name: key.slice(space + 1), ...limit };
  });
