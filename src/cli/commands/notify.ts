/** `unstuck notify`: how you are notified of questions and ended runs, a test of it, and sending pending notices. */
import { Command } from "commander";
import { notifyStatus, sendNotices, testNotify } from "../../operations/notify/notify.ts";
import type { OutputOf } from "../../operations/operation.ts";
import { count } from "../../operations/text.ts";
import { EXIT, perform, textColumns, write, writeJson, type Flags } from "../io.ts";
import { readInput, UsageError } from "../read-input.ts";
import { wrapped } from "../screen/line.ts";

export function notify(): Command {
  const command = new Command("notify").description(
    "Tells you of questions, alerts and ends of runs: on your desktop, by webhook, in Slack or through ntfy.",
  );
  command
    .command("status", { isDefault: true })
    .description("show what is set up and what waits to be sent (the default)")
    .option("--json", "as JSON")
    .action(async ({ json }: Flags) => {
      const status = await perform(notifyStatus, {});
      if (json === true) writeJson(status);
      else for (const line of statusLines(status)) print(line);
    });
  command
    .command("test")
    .description("send a test message by every channel, or by one")
    .argument("[channel]", CHANNELS.join(", "))
    .option("--json", "as JSON")
    .action(async (channel: string | undefined, { json }: Flags) => {
      const { results } = await perform(testNotify, { channel: channelNamed(channel) });
      if (json === true) writeJson({ results });
      else
        for (const { channel: name, sent, problem } of results)
          print(
            problem === undefined
              ? `${name}: sent`
              : `${name}: ${sent ? "sent, but" : "not sent:"} ${problem}`,
          );
      if (results.some(({ problem }) => problem !== undefined)) process.exitCode = EXIT.failed;
    });
  command
    .command("send")
    .description("send what waits; for a timer, where nothing else of unstuck is running")
    .option("--json", "as JSON")
    .action(async ({ json }: Flags) => {
      const { sent, waiting } = await perform(sendNotices, {});
      if (json === true) return writeJson({ sent, waiting });
      const left = waiting === 0 ? "" : `; ${count(waiting, "notice")} will be tried later`;
      print(`sent ${count(sent, "message")}${left}`);
    });
  command
    .command("answer")
    .description("give the answer of a message's button, by its token; for a relay of your own")
    .argument("[file]", "holds the token; default: standard input")
    .option("--json", "as JSON")
    .action(async (file: string | undefined, { json }: Flags) => {
      const token = (await readInput(file)).trim();
      const { answerByToken } = await import("../../operations/notify/answer-by-token.ts");
      const answered = await perform(answerByToken, { token });
      if (json === true) return writeJson(answered);
      print(`${answered.question}: ${ANSWER_WORDS[answered.answer]}`);
    });
  return command;
}

const ANSWER_WORDS = {
  skip: "skipped",
  deny: "it goes on without what it was refused",
  snooze: "you will be told again in an hour",
} as const;

const CHANNELS = ["desktop", "webhook", "slack", "ntfy"] as const;

function channelNamed(name: string | undefined): (typeof CHANNELS)[number] | undefined {
  const known = CHANNELS.find((one) => one === name);
  if (name !== undefined && known === undefined)
    throw new UsageError(`there is no channel of that name; there are ${CHANNELS.join(", ")}`);
  return known;
}

const print = (text: string): void => {
  for (const line of wrapped(text, textColumns())) write(line);
};

function statusLines(status: OutputOf<typeof notifyStatus>): readonly string[] {
  const { channels, quietHours, hasLinks, takesReplies, details } = status;
  const { waiting, problems, file } = status;
  if (channels.length === 0)
    return [
      "You are not notified of anything.",
      "",
      `Add this to ${file}:`,
      "",
      "notify:",
      "  desktop: true",
      "",
      "Then: unstuck notify test",
    ];
  return [
    ...channels.map(({ channel, when }) => `${channel}: ${when.join(", ")}`),
    ...(quietHours === undefined ? [] : [`quiet from ${quietHours.from} to ${quietHours.to}`]),
    hasLinks ? "messages link to your page" : "messages have no links: set publicUrl",
    ...(takesReplies ? ["answers come back through ntfy, to a run at work or unstuck serve"] : []),
    ...(details ? ["messages hold questions and errors"] : []),
    ...(waiting === 0
      ? []
      : [`${count(waiting, "notice")} not sent yet; send now: unstuck notify send`]),
    ...problems.map(({ channel, problem }) => `${channel} failed last: ${problem}`),
  ];
}
