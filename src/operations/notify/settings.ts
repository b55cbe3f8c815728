/**
 * How a person wants to be told, in their own `config.yaml`. Invariant: what is secret in it (addresses, keys, topics) is
 * used and never shown; a value that begins with `$` is the name of an environment variable that holds it.
 */
import * as z from "zod";
import { SEVERITIES } from "../../core/notify/notice.ts";
import { CHANNELS, type ChannelName } from "../../core/notify/outbox.ts";
import { defined } from "../operation.ts";

const when = z.array(z.enum(SEVERITIES)).min(1).max(SEVERITIES.length).optional();
const secret = z.string().trim().min(1).max(2000);
const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "write it as 22:00");

export const notifySettings = z
  .strictObject({
    /** A notification on this computer's screen. */
    desktop: z.union([z.boolean(), z.strictObject({ when })]),
    webhook: z.strictObject({ url: secret, secret, when }),
    /** An incoming webhook of a Slack app. */
    slack: z.strictObject({ url: secret, when }),
    ntfy: z.strictObject({
      topic: secret,
      server: secret.optional(),
      token: secret.optional(),
      /** Where buttons post their answer, and whoever works on a run listens. */
      replyTopic: secret.optional(),
      when,
    }),
    /** Local times; critical notices come through unless this says otherwise. */
    quietHours: z.strictObject({
      ...{ from: clockTime, to: clockTime },
      except: z.array(z.enum(SEVERITIES)).max(SEVERITIES.length).optional(),
    }),
    /** Where the page can be reached from outside: links lead there, and answers may come from there. */
    publicUrl: z.url({ protocol: /^https?$/ }),
    /** Questions, errors and the words of agents may be sent too. */
    details: z.boolean(),
  })
  .partial();

export type NotifySettings = z.infer<typeof notifySettings>;

/** Those that are set up, with what each is for: everything, unless it says otherwise. */
export function channelsOf(
  settings: NotifySettings,
): readonly { readonly name: ChannelName; readonly when: readonly string[] }[] {
  return CHANNELS.flatMap((name) => {
    const set = settings[name];
    if (set === undefined || set === false) return [];
    return [{ name, when: (set === true ? undefined : set.when) ?? SEVERITIES }];
  });
}

/** What stands in the settings, or in the variable they name; nothing where that is not set. */
export function secretOf(value: string): string | undefined {
  const text = value.startsWith("$") ? (process.env[value.slice(1)] ?? "") : value;
  return text.trim() === "" ? undefined : text.trim();
}

export interface Ntfy {
  readonly topic: string;
  /** Without a slash at its end. */
  readonly server: string;
  readonly token?: string;
  readonly replyTopic?: string;
}

/** Nothing where it is not set up, or a variable that it names is not set. */
export function ntfyOf({ ntfy }: NotifySettings): Ntfy | undefined {
  const topic = secretOf(ntfy?.topic ?? "");
  const server = secretOf(ntfy?.server ?? "https://ntfy.sh")?.replace(/\/+$/, "");
  if (topic === undefined || server === undefined) return undefined;
  const token = secretOf(ntfy?.token ?? "");
  const replyTopic = secretOf(ntfy?.replyTopic ?? "");
  return { topic, server, ...defined({ token, replyTopic }) };
}
