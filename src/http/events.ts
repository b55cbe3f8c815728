/**
 * The event streams of the API: of one run what is recorded (`run`), of all runs what changed in the list (`runs`) and
 * in the questions that wait (`inbox`). Invariants: ids are the journal's own, so that whoever comes back with the last
 * one misses nothing; all streams look through one reader, which never writes.
 */
import { redactedJson } from "../operations/redaction.ts";
import type { Feed } from "../operations/serve/feed.ts";
import { eventStream, lastIdOf } from "./event-stream.ts";

export function runEvents(feed: Feed, run: string, lastId: number): Response {
  return eventStream(async function* (gone) {
    for await (const recorded of feed.run(run, lastId + 1, gone))
      yield { event: "run", id: String(recorded.seq), data: recorded };
    yield { event: "end", data: { run } };
  });
}

export function allEvents(feed: Feed, lastId: number): Response {
  return eventStream(async function* (gone) {
    for await (const { event, id, data } of feed.all(lastId, gone))
      yield { event, id: String(id), data, json: redactedJson(data) };
  });
}

/** 0 for who comes for the first time. */
export function lastNumberOf(request: Request): number {
  const id = Number(lastIdOf(request) ?? 0);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}
