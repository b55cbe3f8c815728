/**
 * When each event of a run arrives at a reader of the journal, and at a client of the server's stream, both in this
 * process.
 */
import { get } from "node:http";
import { recordedEvents } from "../../src/operations/runs/recorded.ts";
import { openHomeJournal } from "./fill-home.ts";

const EVENTS = 60;

interface Asked {
  readonly home: string;
  readonly run: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Milliseconds after the first of the two received it. */
export async function eventDelays({ home, run, url, headers }: Asked) {
  const journal = await openHomeJournal(home);
  const from = ((await journal.run(run))?.seq ?? 0) + 1;
  const [inJournal, atReader] = [new Map<number, number>(), new Map<number, number>()];
  const leaving = new AbortController();
  const bareDone = (async () => {
    for await (const { seq } of recordedEvents(journal, run, { from, until: leaving.signal })) {
      inJournal.set(seq, performance.now());
      if (seq >= from + EVENTS - 1) return;
    }
  })();
  const address = `${url}/api/events?run=${run}&after=${from - 1}`;
  await new Promise<void>((resolve, reject) => {
    let text = "";
    const request = get(address, { headers }, (response) => {
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
        const lines = text.split("\n");
        text = lines.pop() ?? "";
        for (const line of lines)
          if (line.startsWith("id: ")) atReader.set(Number(line.slice(4)), performance.now());
        if (atReader.size < EVENTS) return;
        request.destroy();
        resolve();
      });
    });
    request.on("error", (error) => (atReader.size < EVENTS ? reject(error) : undefined));
  });
  await bareDone;
  leaving.abort();
  await journal.close();
  const both = [...inJournal].flatMap(([seq, at]) => {
    const other = atReader.get(seq);
    return other === undefined ? [] : [{ bare: at, served: other, first: Math.min(at, other) }];
  });
  return {
    bare: both.map(({ bare, first }) => bare - first),
    served: both.map(({ served, first }) => served - first),
  };
}
