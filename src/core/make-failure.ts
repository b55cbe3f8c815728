/** The one way to make a failure: what follows from its kind, origin and reasons is filled in here. */
import { signatureOf } from "./classify/signature.ts";
import { categoryOf } from "./failure.ts";
import type { Failure } from "./failure.ts";

type Needed = "kind" | "origin" | "because";

export interface FailureFacts extends Pick<Failure, Needed>, Partial<Omit<Failure, Needed>> {
  /** The text that tells this failure from others; else the first reason. */
  readonly signedBy?: string;
}

/** What was seen for certain, unless the facts say how sure it is. */
export function makeFailure(facts: FailureFacts): Failure {
  const { kind, origin, because, signedBy = because[0] ?? "", ...more } = facts;
  return {
    kind,
    category: categoryOf(kind, origin),
    origin,
    confidence: 1,
    because,
    signature: signatureOf(signedBy),
    ...more,
  };
}
