/**
 * The meaning of typed error names from model services, clouds and agent CLIs. Invariant: names are lower-case and
 * unique.
 */
import type { FailureKind } from "../kinds.ts";

export interface ProviderCode {
  readonly kind: FailureKind;
  /** typed: unique to this failure; exact: usual for it; phrase: a catch-all, so the message decides. */
  readonly level: "typed" | "exact" | "phrase";
}

export const TABLE = new Map<string, ProviderCode>();

export const PROVIDER_CODES: ReadonlyMap<string, ProviderCode> = TABLE;

/** The meaning of a type or code; namespaces such as `google.rpc.` or `#aws` are ignored. */
export function providerCodeOf(name: string | undefined): ProviderCode | undefined {
  if (typeof name !== "string" || name.length > 120) return undefined;
  const bare = name.toLowerCase().split(/[.#:/]/);
  return TABLE.get(bare.at(-1) ?? "") ?? TABLE.get(bare[0] ?? "");
}
