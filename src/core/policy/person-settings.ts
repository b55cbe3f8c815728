/**
 * What a person's time is worth, and when not to ask them: from a plan or the user's own settings, applied on top of a
 * policy that takes it into account. During quiet hours an answer comes only after they end, so a question also costs
 * that wait. Invariant: the local time of day is passed in, in minutes since midnight; no clock is read here.
 */
import * as z from "zod";
import type { PolicyData } from "../adaptive/policy-data.ts";
import { defined } from "../defined.ts";

const personPrice = z
  .number()
  .min(0.5)
  .max(1000)
  .describe("What a person's time is worth, in attempts at the planned tier; default 12");

const quietHours = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/, 'two times, as "22:00-07:00"')
  .describe('When questions wait until later, in the local time: "22:00-07:00"');

export const adaptiveOnly = {
  personPrice: personPrice.optional(),
  quietHours: quietHours.optional(),
};

export const personSettingsSchema = z
  .strictObject({ price: personPrice, quietHours })
  .partial()
  .describe("What a question costs; read by the adaptive policy");

export type PersonSettings = z.infer<typeof personSettingsSchema>;

/** Later settings win. A ladder ignores them: it asks at the end of its rungs, whatever that costs. */
export function withPersonSettings(
  policy: PolicyData,
  settings: readonly (PersonSettings | undefined)[],
): PolicyData {
  if (policy.policy === "ladder") return policy;
  const { price, quietHours: hours } = settings.reduce<PersonSettings>(
    (known, more) => ({ ...known, ...more }),
    {},
  );
  return { ...policy, ...defined({ personPrice: price, quietHours: hours }) };
}
