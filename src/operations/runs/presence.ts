/** Who could answer a run while it goes on: whoever watches it, started it in the background, or left its terminal. */
import type { Ports } from "../../runtime/ports.ts";
import { DETACHED_RUN } from "./measured-base.ts";

export interface Watchers {
  /** Until it is aborted, somebody is there to answer. */
  readonly attended?: AbortSignal | undefined;
  /** Somebody sees it, and may answer from elsewhere. */
  readonly watched?: boolean | undefined;
}

export function presenceOf({ attended, watched = false }: Watchers): ReturnType<Ports["presence"]> {
  if (attended?.aborted === false) return "here";
  const isInBackground = process.env[DETACHED_RUN] !== undefined;
  return watched || isInBackground ? "elsewhere" : "nobody";
}
