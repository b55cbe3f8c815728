/** Input and output schemas of the operations that notify a person, and take their answer from outside. */
import * as z from "zod";
import { OUTSIDE_ANSWERS, SEVERITIES } from "../../core/notify/notice.ts";
import { CHANNELS } from "../../core/notify/outbox.ts";
import { list, nothing, text } from "../schema-fields.ts";

const channel = z.enum(CHANNELS);

export const notifyStatus = {
  input: nothing,
  output: z.strictObject({
    /** The configured channels, without their addresses. */
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
    /** The settings file. */
    file: text,
  }),
};

export const testNotify = {
  input: z.strictObject({ channel: channel.optional().describe("Only this one") }),
  output: z.strictObject({
    /** A message may be sent while the reply topic is unreadable. */
    results: list(z.strictObject({ channel, sent: z.boolean(), problem: text.exactOptional() })),
  }),
};

export const sendNotices = {
  input: nothing,
  output: z.strictObject({
    /** Messages; each may contain several notices. */
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
    /** When a postponed notice is sent again; epoch milliseconds. */
    again: z.number().exactOptional(),
  }),
};
