/**
 * A laboratory's world: why tasks fail, what cures each cause, what is visible of it, and all the texts. Plain data, so
 * that users can bring their own (`--world file.json`); world.json is the built-in one. Unstuck knows nothing of it but
 * the names of the causes.
 */
import { readFileSync } from "node:fs";
import * as z from "zod";
import { CAUSES } from "../../src/core/adaptive/causes.ts";

const share = z.number().min(0).max(1);
const perTier = z.tuple([z.number(), z.number(), z.number()]);
const text = z.string().min(1).max(2000);
const texts = z.array(text).min(1);

const causeSchema = z.strictObject({
  /** Share of all tasks, before a seed shifts it. */
  share,
  /** Success chances at the first tier: of an attempt that has what it needs, and of one that does not. */
  cured: share,
  otherwise: share,
  /** Added to the log odds at each tier. */
  lift: perTier,
  /** How a failed attempt ends. `blocked`: it says what is missing. `asks`, `gives-up`: it says what it cannot know. */
  ends: z.partialRecord(
    z.enum(["done", "no-change", "loop", "crash", "blocked", "asks", "gives-up"]),
    share,
  ),
  /** What it leaves failing, compared with what failed before; `unmoved`: with the same wrong values. */
  items: z.partialRecord(z.enum(["same", "unmoved", "fewer", "more", "other"]), share),
});

const worldSchema = z.strictObject({
  version: z.literal(1),
  name: text,
  prices: perTier,
  /** How close a seed's shares stay to these: the larger, the closer. */
  nearness: z.number().min(1).max(10_000),
  /** A chance is multiplied by this each time the same help has failed before. */
  again: share,
  /** Share of its sentences that must be new for a prompt to read differently. */
  newWords: share,
  causes: z.record(z.enum(CAUSES), causeSchema),
  texts: z.strictObject({
    /** Texts of a task: {thing}, {item}. */
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
    /** What only a person knows: as a question, as a statement without one, and the answer. */
    unknowns: z.array(z.strictObject({ asks: text, givesUp: text, answer: text })).min(1),
    crashes: z.array(z.strictObject({ says: text, exit: z.int().min(1).max(255) })).min(1),
  }),
});
export type World = z.infer<typeof worldSchema>;

const SHIPPED = new URL("world.json", import.meta.url);

export const readWorld = (file: string | URL = SHIPPED): World =>
  worldSchema.parse(JSON.parse(readFileSync(file, "utf8")));
