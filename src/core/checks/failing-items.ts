/**
 * The names of what failed, read from a check's output by every reader that knows its format. Invariants: linear
 * time; at most MAX_ITEMS names, each one tamed line; never throws; output that no reader knows gives no names
 * rather than guesses.
 */
import { stripEscapes, tameLine } from "../foreign-text.ts";
import { readCargoTest } from "./readers/cargo-test.ts";
import { readDotnet } from "./readers/dotnet.ts";
import { readGoTest } from "./readers/go-test.ts";
import { readGradle } from "./readers/gradle.ts";
import { readJest } from "./readers/jest.ts";
import { readJunitXml } from "./readers/junit-xml.ts";
import { readMaven } from "./readers/maven.ts";
import { readMocha } from "./readers/mocha.ts";
import { readNodeTest } from "./readers/node-test.ts";
import { readPhpunit } from "./readers/phpunit.ts";
import { readPytest } from "./readers/pytest.ts";
import type { Reader } from "./readers/reader.ts";
import { readRspec } from "./readers/rspec.ts";
import { readTap } from "./readers/tap.ts";
import { readTsc } from "./readers/tsc.ts";
import { readUnittest } from "./readers/unittest.ts";
import { readVitest } from "./readers/vitest.ts";

export const MAX_ITEMS = 200;
const MAX_LINE = 2000;
const MAX_NAME = 300;

const READERS: readonly Reader[] = [
  readVitest,
  readJest,
  readNodeTest,
  readTap,
  readPytest,
  readUnittest,
  readGoTest,
  readCargoTest,
  readJunitXml,
  readTsc,
  readMocha,
  readRspec,
  readPhpunit,
  readDotnet,
  readMaven,
  readGradle,
];

export interface FailingItems {
  readonly items: readonly string[];
  readonly complete: boolean;
}

/** Each text is one stream of the check: formats never span two. */
export function readFailingItems(texts: readonly string[]): FailingItems {
  const names = new Set<string>();
  for (const text of texts) {
    const lines = stripEscapes(text)
      .split(/\r\n|\n|\r/)
      .map((line) => line.slice(0, MAX_LINE));
    for (const read of READERS)
      for (const name of read(lines)) {
        const clean = tameLine(name, MAX_NAME);
        if (clean === "") continue;
        if (names.size >= MAX_ITEMS && !names.has(clean))
          return { items: [...names], complete: false };
        names.add(clean);
      }
  }
  return { items: [...names], complete: true };
}
