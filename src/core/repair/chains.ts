/**
 * The ten recovery chains by kind, and the question for kinds without one. Invariant: exactly the ten error types of
 * the source document have a chain; all other kinds only have a question.
 */
import { KINDS, type FailureKind } from "../kinds.ts";
import { commandOf, type Chain } from "./chain.ts";
import { commandNotFound, toolNotFound } from "./chains/missing-programs.ts";
import { diskFull, fileNotFound, permissionDenied } from "./chains/files.ts";
import { invalidArguments, syntaxError } from "./chains/wrong-calls.ts";
import { networkError, rateLimited, timeout } from "./chains/time-and-network.ts";

/** The kinds whose question comes from their chain. */
type ChainKind = {
  [kind in FailureKind]: (typeof KINDS)[kind] extends { readonly question: string } ? never : kind;
}[FailureKind];

const CHAINS = {
  command_not_found: commandNotFound,
  tool_not_found: toolNotFound,
  permission_denied: permissionDenied,
  timeout,
  file_not_found: fileNotFound,
  invalid_arguments: invalidArguments,
  syntax_error: syntaxError,
  network_error: networkError,
  rate_limited: rateLimited,
  disk_full: diskFull,
} as const satisfies { readonly [kind in ChainKind]: Chain };

/** The chain of a kind; only a question if the source document has none. */
export function chainOf(kind: FailureKind): Chain {
  if (hasChain(kind)) return CHAINS[kind];
  return {
    rows: [],
    questions: (values) => [`${KINDS[kind].question} It happened in ${commandOf(values)}.`],
  };
}

const hasChain = (kind: FailureKind): kind is ChainKind => Object.hasOwn(CHAINS, kind);
