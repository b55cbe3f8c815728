/**
 * How a user wants to be notified, in their own `config.yaml`. Invariant: secrets in it (addresses, keys, topics) are
 * used and never shown; a value that begins with `$` names the environment variable with the secret.
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
      /** Where buttons post their answer, and where the process working on a run listens. */
      replyTopic: secret.optional(),
      when,
    }),
    /** Local times; critical notices come through unless this says otherwise. */
    quietHours: z.strictObject({
      ...{ from: clockTime, to: clockTime },
      except: z.array(z.enum(SEVERITIES)).max(SEVERITIES.length).optional(),
    }),
    /**
     * The address under which the page can be reached from outside: links lead there, and answers may come from there.
     */
    publicUrl: z.url({ protocol: /^https?$/ }),
    /** Whether questions, errors and agents' words may be sent too. */
    details: z.boolean(),
  })
  .partial();

export type NotifySettings = z.infer<typeof notifySettings>;

/** The configured channels, each with the severities it is for: all of them, unless its settings say otherwise. */
export function channelsOf(
  settings: NotifySettings,
): readonly { readonly name: ChannelName; readonly when: readonly string[] }[] {
  return CHANNELS.flatMap((name) => {
    const set = settings[name];
    if (set === undefined || set === false) return [];
    return [{ name, when: (set === true ? undefined : set.when) ?? SEVERITIES }];
  });
}

/** The value in the settings, or of the variable they name; undefined if that is not set. */
export function secretOf(value: string): string | undefined {
  const text = value.startsWith("$") ? (process.env[value.slice(1)] ?? "") : value;
  return text.trim() === "" ? undefined : text.trim();
}

export interface Ntfy {
  readonly topic: string;
  /** Without a trailing slash. */
  readonly server: string;
  readonly token?: string;
  readonly replyTopic?: string;
}

/** Undefined if it is not set up, or a variable it names is not set. */
export function ntfyOf({ ntfy }: NotifySettings): Ntfy | undefined {
  const topic = secretOf(ntfy?.topic ?? "");
  const server = secretOf(ntfy?.server ?? "https://ntfy.sh")?.replace(/\/+$/, "");
  if (topic === undefined || server === undefined) return undefined;
  const token = secretOf(ntfy?.token ?? "");
  const replyTopic = secretOf(ntfy?.replyTopic ?? "");
  return { topic, server, ...defined({ token, replyTopic }) };
}
