/**
 * One incident of the fleet, such as a provider that is down: a small text. Invariant: a change is applied only to the
 * text it was computed from, or not at all.
 */
import type { Incidents } from "../../journal/journal.ts";
import type { Ingress } from "./ingress.ts";
import { INCIDENT_OBJECT } from "./messages.ts";
import { DECIDING } from "./run-object.ts";
import type { ObjectContext, Sdk } from "./sdk.ts";

interface Change {
  readonly from: string | null;
  readonly to: string | null;
}

export function incidentObject(sdk: Sdk): unknown {
  return sdk.object({
    name: INCIDENT_OBJECT,
    options: DECIDING,
    handlers: {
      change: async (ctx: ObjectContext, { from, to }: Change): Promise<boolean> => {
        if ((await ctx.get<string>("text")) !== from) return false;
        if (to === null) ctx.clear("text");
        else ctx.set("text", to);
        return true;
      },
      text: sdk.handlers.object.shared((ctx) => ctx.get<string>("text")),
    },
  });
}

export function fleetIncidents(engine: Ingress): Incidents {
  return {
    async change(key, change) {
      for (;;) {
        const from = await engine.call<string | null>(INCIDENT_OBJECT, key, "text");
        const { next, answer } = change(from ?? undefined);
        const to = next ?? null;
        if (to === from) return answer;
        if (await engine.call<boolean>(INCIDENT_OBJECT, key, "change", { from, to })) return answer;
      }
    },
  };
}
