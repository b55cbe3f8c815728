/** A text and the kind it must get; more than one where a careful person would accept either. */
import type { FailureKind } from "../../../../src/core/kinds.ts";

export type Case = readonly [text: string, kind: FailureKind, ...also: FailureKind[]];
