/** Input and output of the operations that tell a person, and take their answer from outside. */
import * as z from "zod";
import { OUTSIDE_ANSWERS, SEVERITIES } from "../../core/notify/notice.ts";
import { CHANNELS } from "../../core/notify/outbox.ts";
import { list, nothing, text } from "../schema-fields.ts";

const channel = z.enum(CHANNELS);

export const notifyStatus = {
  input: nothing,
  output: z.strictObject({
    /** Those that are set up, without their addresses. */
    channels: list(z.strictObject({ channel, when: list(z.enum(SEVERITIES)) })),
    quietHours: z.strictObject({ from: text, to: text }).exactOptional(),
    /** Links lead to a page. */
    hasLinks: z.boolean(),
    /** Answers come back through the reply topic. */
    takesReplies: z.boolean(),
    details: z.boolean(),
    /** Notices that were not sent yet. */
    waiting: z.number(),
    /** Why a channel last failed. */
    problems: list(z.strictObject({ channel, problem: text })),
    /** Where it is set up. */
    file: text,
  }),
};

export const testNotify = {
  input: z.strictObject({ channel: channel.optional().describe("Only this one") }),
  output: z.strictObject({
    /** A message may be sent and the reply topic be unreadable all the same. */
    results: list(z.strictObject({ channel, sent: z.boolean(), problem: text.exactOptional() })),
  }),
};

export const sendNotices = {
  input: nothing,
  output: z.strictObject({
    /** Messages; each may hold several notices. */
    sent: z.number(),
    waiting: z.number(),
  }),
};

export const answerByToken = {
  input: z.strictObject({ token: z.string().max(2000) }),
  output: z.strictObject({
    run: text,
    question: text,
    answer: z.enum(OUTSIDE_ANSWERS),
    /** When it is told again, where the answer was to wait; epoch milliseconds. */
    again: z.number().exactOptional(),
  }),
};
