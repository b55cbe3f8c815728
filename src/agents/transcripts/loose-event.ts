/**
 * One JSON line of an agent nobody knows, as an event: its name, and its fields wherever it keeps them.
 * Invariants: never throws; looks at a bounded number of places, the outer before the inner.
 */
import type { Fields } from "./json.ts";
import { fieldsOf, textOf } from "./json.ts";

export interface LooseEvent {
  /** Its own words for what it is, outer before inner, in lower case. */
  readonly name: string;
  /** The outermost of them alone. */
  readonly type: string;
  /** The first of these fields that is there. */
  find(...names: readonly string[]): unknown;
  text(...names: readonly string[]): string;
  /** The first number from `least` to `most` under one of these names. */
  number(least: number, most: number, ...names: readonly string[]): number | undefined;
}

const CARRIERS = [
  "data",
  "payload",
  "params",
  "update",
  "item",
  "part",
  "event",
  "properties",
  "message",
  "error",
  "result",
] as const;
const MAX_PLACES = 16;

export function looseEvent(line: Fields): LooseEvent {
  const places = placesIn(line);
  const all = (names: readonly string[]): readonly unknown[] =>
    places
      .flatMap((place) => names.map((name) => place[name]))
      .filter((value) => value !== undefined && value !== null);
  const words = places.flatMap((place) => [place["type"], place["subtype"], place["event"]]);
  const told = words.map(textOf).filter((word) => word !== "");
  return {
    name: told.slice(0, 4).join(" ").slice(0, 200).toLowerCase(),
    type: (told[0] ?? "").slice(0, 80).toLowerCase(),
    find: (...names) => all(names)[0],
    text: (...names) =>
      all(names)
        .map(textOf)
        .find((text) => text !== "") ?? "",
    number: (least, most, ...names) =>
      all(names).find(
        (value): value is number => typeof value === "number" && value >= least && value <= most,
      ),
  };
}

function placesIn(line: Fields): readonly Fields[] {
  const places: Fields[] = [line];
  for (let at = 0; at < places.length && places.length < MAX_PLACES; at += 1)
    for (const carrier of CARRIERS) {
      const inner = fieldsOf(places[at]?.[carrier]);
      if (Object.keys(inner).length > 0) places.push(inner);
    }
  return places.slice(0, MAX_PLACES);
}
