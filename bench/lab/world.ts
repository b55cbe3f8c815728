/**
 * A laboratory's world: why tasks fail, what cures each cause, what shows of it, and all the texts. Plain data, so that
 * anybody can bring their own (`--world file.json`); world.json is the one that ships. Nothing here is known to Unstuck but the names of the causes.
 */
import { readFileSync } from "node:fs";
import * as z from "zod";
import { CAUSES } from "../../src/core/adaptive/causes.ts";

const share = z.number().min(0).max(1);
const perTier = z.tuple([z.number(), z.number(), z.number()]);
const text = z.string().min(1).max(2000);
const texts = z.array(text).min(1);

const causeSchema = z.strictObject({
  /** Of all tasks, before a seed moves it. */
  share,
  /** Chance of an attempt that has what it needs, and of one that has not; at the first tier. */
  cured: share,
  otherwise: share,
  /** Added to the log odds at each tier. */
  lift: perTier,
  /** How a failed attempt ends. `blocked`: it says what is missing. `asks`, `gives-up`: it says what it cannot know. */
  ends: z.partialRecord(
    z.enum(["done", "no-change", "loop", "crash", "blocked", "asks", "gives-up"]),
    share,
  ),
  /** What it leaves failing, beside what failed before it; `unmoved`: with the same wrong values. */
  items: z.partialRecord(z.enum(["same", "unmoved", "fewer", "more", "other"]), share),
});

const worldSchema = z.strictObject({
  version: z.literal(1),
  name: text,
  prices: perTier,
  /** How near a seed's shares stay to these: the larger, the nearer. */
  nearness: z.number().min(1).max(10_000),
  /** A chance is multiplied by this each time that the same help has failed before. */
  again: share,
  /** Share of its sentences that must be new for a prompt to read differently. */
  newWords: share,
  causes: z.record(z.enum(CAUSES), causeSchema),
  texts: z.strictObject({
    /** Words of a task: {thing}, {item}. */
    things: texts,
    items: texts,
    goals: texts,
    /** How a check prints a failing item: {suite}, {item}, {want}, {got}. */
    failures: texts,
    done: texts,
    unchanged: texts,
    /** {tool} is one of `tools`. */
    blocked: texts,
    tools: texts,
    /** What only a person knows: a question, the same without one, the answer. */
    unknowns: z.array(z.strictObject({ asks: text, givesUp: text, answer: text })).min(1),
    crashes: z.array(z.strictObject({ says: text, exit: z.int().min(1).max(255) })).min(1),
  }),
});
export type World = z.infer<typeof worldSchema>;

const SHIPPED = new URL("world.json", import.meta.url);

export const readWorld = (file: string | URL = SHIPPED): World =>
  worldSchema.parse(JSON.parse(readFileSync(file, "utf8")));
