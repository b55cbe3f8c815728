/** Who could answer a run while it works: a person at its terminal, a person elsewhere, or nobody. */
import type { Ports } from "../../runtime/ports.ts";
import { DETACHED_RUN } from "./measured-base.ts";

export interface Watchers {
  /** A person is there to answer until it is aborted. */
  readonly attended?: AbortSignal | undefined;
  /** A person watches it, and may answer from elsewhere. */
  readonly watched?: boolean | undefined;
}

export function presenceOf({ attended, watched = false }: Watchers): ReturnType<Ports["presence"]> {
  if (attended?.aborted === false) return "here";
  const isInBackground = process.env[DETACHED_RUN] !== undefined;
  return watched || isInBackground ? "elsewhere" : "nobody";
}
