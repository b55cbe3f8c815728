/** Operations on notifications: see what is set up, send a test, and send what is queued. */
import type { Message } from "../../core/notify/message.ts";
import { CHANNELS } from "../../core/notify/outbox.ts";
import { SEVERITIES } from "../../core/notify/notice.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, operation, ProblemError } from "../operation.ts";
import { withHome } from "../runs/open-run.ts";
import { userConfig, userConfigFile } from "../user-config.ts";
import { SENDERS } from "./channels.ts";
import { deliverDue, readNotices } from "./deliver.ts";
import { repliesProblem } from "./replies.ts";
import { channelsOf, ntfyOf, type NotifySettings } from "./settings.ts";

const settingsNow = (): NotifySettings => userConfig().notify ?? {};

export const notifyStatus = operation({
  name: "notify-status",
  schemas: async () => (await import("./schemas.ts")).notifyStatus,
  run: () =>
    withHome(async ({ journal }) => {
      const settings = settingsNow();
      const { quietHours, publicUrl, details = false } = settings;
      const { waiting, problems } = await readNotices(journal);
      return {
        channels: channelsOf(settings).map(({ name, when }) => ({
          channel: name,
          when: SEVERITIES.filter((severity) => when.includes(severity)),
        })),
        ...(quietHours === undefined
          ? {}
          : { quietHours: { from: quietHours.from, to: quietHours.to } }),
        ...{ hasLinks: publicUrl !== undefined, details, waiting: waiting.length },
        takesReplies: ntfyOf(settings)?.replyTopic !== undefined,
        problems: problems.map(([channel, problem]) => ({ channel, problem })),
        file: userConfigFile(),
      };
    }),
});

export const testNotify = operation({
  name: "notify-test",
  schemas: async () => (await import("./schemas.ts")).testNotify,
  async run(_, { channel }) {
    refuseInsideAttempt("notify test");
    const settings = settingsNow();
    const names = channelsOf(settings).map(({ name }) => name);
    if (names.length === 0)
      throw new ProblemError(
        "bad-input",
        `no way to notify you is set up; write to ${userConfigFile()}, for example:\nnotify:\n  desktop: true`,
      );
    if (channel !== undefined && !names.includes(channel))
      throw new ProblemError(
        "bad-input",
        `${channel} is not set up in ${userConfigFile()}; set up: ${names.join(", ")}`,
      );
    const results = [];
    for (const name of CHANNELS.filter((one) => (channel ?? one) === one && names.includes(one))) {
      const sent = await SENDERS[name](settings, testMessage(settings), []);
      const problem = sent.ok && name === "ntfy" ? await repliesProblem(settings) : undefined;
      results.push({
        ...{ channel: name, sent: sent.ok },
        ...(sent.ok ? defined({ problem }) : { problem: sent.problem }),
      });
    }
    return { results };
  },
});

const testMessage = ({ publicUrl }: NotifySettings): Message => ({
  ...{ severity: "info", title: "Unstuck: a test", command: "unstuck status", notices: [] },
  lines: ["Notifications reach you here."],
  ...(publicUrl === undefined ? {} : { url: publicUrl }),
});

export const sendNotices = operation({
  name: "notify-send",
  schemas: async () => (await import("./schemas.ts")).sendNotices,
  run: () => {
    refuseInsideAttempt("notify send", { orphans: "allowed" });
    return withHome(async ({ home, journal }) => {
      const sent = await deliverDue({ home, journal, settings: settingsNow() });
      return { sent, waiting: (await readNotices(journal)).waiting.length };
    });
  },
});
