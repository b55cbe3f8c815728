// A command that behaves like an agent, as its last argument says: a list of things to do in order.
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/** print, note: a line for one of the streams; hear: waits for a line; stay: until it is ended. */
export type Deed =
  | { readonly print: unknown }
  | { readonly note: string }
  /** Prints what it heard back, as the words of the agent. */
  | { readonly hear: "and-say-it" | "only" }
  | { readonly sleepMs: number }
  | { readonly untilClosed: true }
  | { readonly stay: true }
  | { readonly exit: number };

if (process.argv.at(-1) === "--version") {
  console.log(process.argv.at(-2));
  process.exit(0);
}
const deeds = JSON.parse(process.env["FAKE_DEEDS"] ?? "[]") as readonly Deed[];
const input = createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();
const print = (line: unknown): void => console.log(JSON.stringify(line));

for (const deed of deeds) {
  if ("print" in deed) print(deed.print);
  else if ("note" in deed) console.error(deed.note);
  else if ("hear" in deed) {
    const { value } = await lines.next();
    const text = String(value);
    if (deed.hear === "and-say-it")
      print({ type: "assistant", message: { content: [{ type: "text", text }] } });
  } else if ("sleepMs" in deed) await sleep(deed.sleepMs);
  else if ("untilClosed" in deed) while ((await lines.next()).done !== true);
  else if ("stay" in deed) await sleep(600_000);
  else process.exit(deed.exit);
}
process.exit(0);
