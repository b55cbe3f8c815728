/**
 * What the typed error names of model services, clouds and agent CLIs stand for. Invariant: names are lower-case here
 * and stand once.
 */
import type { FailureKind } from "../kinds.ts";

export interface ProviderCode {
  readonly kind: FailureKind;
  /** typed: only this failure has it; exact: usual for it; phrase: a catch-all, the message decides. */
  readonly level: "typed" | "exact" | "phrase";
}

export const TABLE = new Map<string, ProviderCode>();

export const PROVIDER_CODES: ReadonlyMap<string, ProviderCode> = TABLE;

/** The kind a type or code stands for; namespaces such as `google.rpc.` or `#aws` are ignored. */
export function providerCodeOf(name: string | undefined): ProviderCode | undefined {
  if (typeof name !== "string" || name.length > 120) return undefined;
  const bare = name.toLowerCase().split(/[.#:/]/);
  return TABLE.get(bare.at(-1) ?? "") ?? TABLE.get(bare[0] ?? "");
}
