/**
 * What a person's time is worth, and when they are not to be asked: in a plan or in the user's own settings, laid over a
 * policy that weighs it. In quiet hours an answer comes when they are over, so a question costs the wait as well.
 * Invariant: the time of day is given, in minutes since midnight as the user's clock has it; nothing here asks a clock.
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

/** The later ones win; a ladder asks where its steps end, whatever that costs. */
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
