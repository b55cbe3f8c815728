/**
 * The cost of redaction, compared with copying the same bytes through a hash, for typical agent output and for hostile
 * text: 1 MB and 100 MB, in chunks as from a pipe. Exits 1 if it costs more than 25 copies, more per byte at 100 MB
 * than at 1 MB, or if memory grows with the text.
 */
import { createHash } from "node:crypto";
import { redactionOf } from "../src/core/redact/redaction.ts";

const GOAL = 25;
/** Hostile text may cost more, but not more per byte the longer it is. */
const GOAL_HARD = 400;
/** Compared with the same work in the same process; more than noise. */
const GOAL_GROWTH = 1.3;
const GOAL_MEMORY_MB = 64;
const MB = 1024 * 1024;
const CHUNK = 64 * 1024;

const key = (at: number): string => `sk-${"ant"}-api03-${`Ab3dE6g${at}`.repeat(8)}`;
const text = (at: number): string =>
  [
    `$ npm test -- src/module-${at}.test.ts`,
    `> PASS src/module-${at}.test.ts (${at % 90}.${at % 10} s), token count: ${at}, commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b`,
    `  at Object.<anonymous> (/home/dev/app/src/module-${at}.ts:${at % 400}:17)`,
    `const options: Options = { retries: 3, url: "https://host.example/path?page=${at}", key: 'value' };`,
    at % 50 === 0 ? `export API_KEY=${key(at)}` : `export LOG_LEVEL=debug-${at}`,
  ].join("\n");
const realistic = (): string =>
  Array.from({ length: 400 }, (_, at) => {
    const result = { type: "tool_result", tool_use_id: `toolu_${at}`, content: text(at) };
    return `${text(at)}\n${JSON.stringify(result)}\n`;
  }).join("");

const repeated = (piece: string) => (): string => piece.repeat(Math.ceil(MB / piece.length));
const TEXTS: Readonly<Record<string, () => string>> = {
  "what agents print": realistic,
  "one endless word": repeated("a"),
  "names without values": repeated("password=$password="),
  "open quotes": repeated(`token="$x password=\\"`),
  "almost keys": repeated("sk-ghp_glpat-xoxb-AKIA-"),
  "open keys": repeated(`${"-".repeat(5)}BEGIN PRIVATE KEY${"-".repeat(5)}\n`),
  addresses: repeated("https://a:$b@c://"),
  "headers without an end": repeated("cookie: authorization: bearer "),
  options: repeated("mysql -p --token -u a:1 "),
};

/** Processor time of a pass over `bytes` of the sample, so that other work on the machine does not count. */
function milliseconds(sample: Buffer, bytes: number, take: (chunk: Buffer) => void): number {
  const started = process.cpuUsage();
  for (let done = 0; done < bytes;) {
    const at = done % sample.length;
    const chunk = sample.subarray(at, Math.min(at + CHUNK, sample.length, at + bytes - done));
    take(chunk);
    done += chunk.length;
  }
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

function copying(sample: Buffer, bytes: number): number {
  const hash = createHash("sha256");
  return milliseconds(sample, bytes, (chunk) => hash.update(Buffer.from(chunk)));
}

function redacting(sample: Buffer, bytes: number): number {
  const redactor = redactionOf(["a-value-of-the-environment-1", "another-of-its-values-2"]).bytes();
  const hash = createHash("sha256");
  return milliseconds(sample, bytes, (chunk) =>
    hash.update(Buffer.from(redactor.push(chunk.toString("latin1")), "latin1")),
  );
}

let missed = false;
for (const [name, make] of Object.entries(TEXTS)) {
  const sample = Buffer.from(make());
  const isMain = make === realistic;
  const long = (isMain ? 100 : 5) * MB;
  const goal = isMain ? GOAL : GOAL_HARD;
  redacting(sample, (isMain ? 4 : 1) * MB);
  const short = Math.min(...Array.from({ length: isMain ? 10 : 3 }, () => redacting(sample, MB)));
  const before = process.memoryUsage().rss;
  const spent = redacting(sample, long);
  const grown = (process.memoryUsage().rss - before) / MB;
  const ratio = spent / copying(sample, long);
  const growth = spent / (long / MB) / short;
  console.log(
    `${name}: ${ratio.toFixed(1)} copies (at most ${goal}), per byte ${growth.toFixed(2)} of 1 MB's (at most ${GOAL_GROWTH}), ` +
      `${(long / MB / (spent / 1000)).toFixed(0)} MB/s, memory +${grown.toFixed(0)} MB (at most ${GOAL_MEMORY_MB})`,
  );
  missed ||= ratio > goal || growth > GOAL_GROWTH || grown > GOAL_MEMORY_MB;
}
process.exitCode = missed ? 1 : 0;
