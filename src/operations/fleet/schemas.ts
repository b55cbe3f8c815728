/** Input and output schemas of the operations on a fleet. */
import * as z from "zod";
import { flag, text, texts } from "../schema-fields.ts";
import { startRun } from "../runs/schemas.ts";

const reach = {
  url: texts
    .optional()
    .describe("Where the engine's ingress is; default: UNSTUCK_FLEET, else http://127.0.0.1:8080"),
};

export const workForFleet = {
  input: z.strictObject({
    ...reach,
    admin: texts.optional().describe("Its admin interface; default: the same host, port 9070"),
    blobs: text.describe(
      "Store of large content: file:///folder or s3://bucket/prefix?endpoint=...",
    ),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,60}$/)
      .optional(),
    labels: texts.optional(),
    slots: z.int().min(1).max(1000).optional(),
    host: text.optional(),
    port: z.int().min(0).max(65535).optional(),
    advertise: text.optional(),
    identityKeys: texts.optional(),
  }),
  output: z.strictObject({ name: text, done: z.int() }),
};

export const devFleet = {
  input: z.strictObject({
    slots: workForFleet.input.shape.slots,
    anyPort: flag.describe("Any ports that are free, instead of 8080, 9070 and 5122"),
  }),
  output: workForFleet.output,
};

const { plan, goal, agent, checks, setup, policy, concurrency, trust } = startRun.input.shape;

export const submitRun = {
  input: z.strictObject({
    ...reach,
    repo: text.describe("A git URL that every worker can clone"),
    ref: text.optional().describe("A branch, tag or commit; default: the remote's HEAD"),
    labels: texts.optional().describe("What a worker must offer"),
    ...{ plan, goal, agent, checks, setup, policy, concurrency, trust, fullPermissions: flag },
  }),
  output: z.strictObject({ run: text, commit: text }),
};

/** For attempts over all workers; without either number there is no limit. */
const limit = z.strictObject({
  by: z.enum(["repository", "agent", "provider"]),
  name: z.string().min(1).max(1000).describe('"*": each of them for itself'),
  atOnce: z.int().min(0).max(100_000).optional(),
  perMinute: z.int().min(1).max(10_000).optional(),
});

export const listWorkers = {
  input: z.strictObject(reach),
  output: z.strictObject({
    workers: z.array(
      z.strictObject({
        id: text,
        address: text,
        version: text,
        labels: texts,
        slots: z.int(),
        busy: z.int(),
        draining: z.boolean(),
        joinedAt: z.number(),
        heardAt: z.number(),
      }),
    ),
    waiting: z.int(),
    limits: z.array(limit),
  }),
};

export const limitFleet = {
  input: z.strictObject({ ...reach, ...limit.shape }),
  output: z.strictObject({ limits: z.array(limit) }),
};
