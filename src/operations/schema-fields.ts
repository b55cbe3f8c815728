/** Fields that the schemas of operations share. */
import * as z from "zod";

/** Data that is defined and checked elsewhere; here only that it is there. */
export const data = <T extends object>() =>
  z.custom<T>((value) => typeof value === "object" && value !== null).meta({ type: "object" });
/** A word of a set that is defined elsewhere. */
export const word = <T extends string>() =>
  z.custom<T>((value) => typeof value === "string").meta({ type: "string" });
export const list = <T extends z.ZodType>(item: T) => z.array(item).readonly();
export const text = z.string();
export const texts = list(text);
export const flag = z.boolean().optional();
export const nothing = z.strictObject({});
