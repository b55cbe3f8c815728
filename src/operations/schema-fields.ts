/** Schema fields shared by operations. */
import * as z from "zod";

/** Data defined and checked elsewhere; here only its presence is checked. */
export const data = <T extends object>() =>
  z.custom<T>((value) => typeof value === "object" && value !== null).meta({ type: "object" });
/** A word from a set defined elsewhere. */
export const word = <T extends string>() =>
  z.custom<T>((value) => typeof value === "string").meta({ type: "string" });
export const list = <T extends z.ZodType>(item: T) => z.array(item).readonly();
export const text = z.string();
export const texts = list(text);
export const flag = z.boolean().optional();
export const nothing = z.strictObject({});
