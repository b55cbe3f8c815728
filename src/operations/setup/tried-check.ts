/**
 * What one run of a check shows about the base: green, red, hangs, or cannot run. A failure that only names modules
 * missing from the repository, or packages that could not be fetched, is no verdict on the code.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { duration } from "../../core/amounts.ts";
import { cleanLine, stripEscapes } from "../../core/foreign-text.ts";
import { checkExcerpt } from "../../core/excerpt/check-excerpt.ts";
import type { CheckRun } from "../../runtime/ports-workspace.ts";
import { PLAN_FILE } from "../runs/given-plan.ts";
import type { FoundCheck } from "./checks/reading.ts";
import type { TriedCheck } from "./schemas.ts";

const HEADLINE_MOST = 300;

/** `isHeld`: the base contains the file that the check was found in. */
export function triedCheck(
  { run, from }: FoundCheck,
  ran: CheckRun,
  root: string,
  isHeld = true,
): TriedCheck {
  const about = { run, from, ms: Math.round(ran.durationMs) };
  const { outcome, excerpt } = ran;
  const headline = cleanLine(excerpt?.headline ?? "", HEADLINE_MOST);
  const cannot = (why: string): TriedCheck => ({ ...about, state: "cannot-run", why });
  switch (outcome.kind) {
    case "passed":
      return { ...about, state: "green" };
    case "timed-out":
      return { ...about, state: "hangs", why: `did not end within ${duration(outcome.limitMs)}` };
    case "could-not-run":
      return isHeld || from.endsWith(PLAN_FILE)
        ? cannot(cleanLine(outcome.detail, HEADLINE_MOST))
        : cannot(`${from} is not committed`);
    case "failed": {
      const missing = missingModule(ran, root);
      if (missing !== undefined) return cannot(`${missing} is not installed`);
      const unprepared = outcome.items.length > 0 ? undefined : unpreparedLine(ran);
      if (unprepared !== undefined) return cannot(unprepared);
      const items = Math.max(outcome.items.length, excerpt?.items.length ?? 0);
      return {
        ...{ ...about, state: "red" },
        ...(headline === "" ? {} : { headline }),
        ...(items === 0 ? {} : { items }),
      };
    }
  }
}

/** Nothing was judged: the tree could not be set up. */
export function cannotSetUp(
  { run, from }: FoundCheck,
  command: string,
  { outcome, stdout, stderr }: CheckRun,
): TriedCheck {
  const { headline } = checkExcerpt({ command, stdout, stderr });
  const detail = outcome.kind === "timed-out" ? "it did not end" : headline;
  const why = cleanLine(`setup failed: ${command}: ${detail}`, HEADLINE_MOST);
  return { run, from, state: "cannot-run", ms: 0, why };
}

const MISSING =
  /(?:Cannot find (?:module|package)|No module named|cannot load such file --|Could not find (?:module|package)) ['"`]?([^\s'"`]{1,200})/;

/** If no test ran, and every failure lacks a module that is not the repository's own: one such module. */
function missingModule({ outcome, excerpt }: CheckRun, root: string): string | undefined {
  const items = excerpt?.items ?? [];
  if (outcome.kind !== "failed" || (outcome.tests ?? 0) > 0) return undefined;
  if (items.length === 0 || outcome.items.length > items.length) return undefined;
  const names = items.map(({ message = "" }) => MISSING.exec(message)?.[1] ?? "");
  return names.every((name) => name !== "" && !isOwn(name, root)) ? names[0] : undefined;
}

/** Tools that could not fetch what the build needs, or were never set up: the code was not judged. */
const UNPREPARED: readonly RegExp[] = [
  // [ERROR] Failed to execute goal …: Plugin … or one of its dependencies could not be resolved: …
  /^\[ERROR\] .{0,2000}(?:dependencies could not be resolved|Could not resolve dependencies for project|Non-resolvable parent POM)/,
  // > Could not resolve all files for configuration ':testCompileClasspath'.
  /^(?:> )?Could not resolve all (?:files|artifacts|dependencies|task dependencies) for configuration /,
  // error: no matching package named `left-pad` found
  /^error: (?:no matching package named `|failed to (?:get|load source for) (?:dependency )?`)/,
  // /src/A.csproj : error NU1101: Unable to find package left-pad.
  /^.{0,500}: error NU1101: /,
  // ESLint couldn't find an eslint.config.(js|mjs|cjs) file.
  /^(?:Oops! Something went wrong! :\(|ESLint couldn't find (?:an eslint\.config|a configuration file))/,
];

const LINES_MOST = 2000;

function unpreparedLine({ stdout, stderr }: CheckRun): string | undefined {
  const lines = [stderr, stdout].flatMap((text) => stripEscapes(text).split("\n", LINES_MOST));
  const line = lines.find((one) => UNPREPARED.some((pattern) => pattern.test(one.slice(0, 3000))));
  return line === undefined ? undefined : cleanLine(line, HEADLINE_MOST);
}

const PLACES = ["", "src", "lib"];
const ENDINGS = ["", ".py", ".js", ".ts", ".rb"];

function isOwn(name: string, root: string): boolean {
  if (/^[./~#]/.test(name)) return true;
  const [first = ""] = name.split(/[./]/);
  return PLACES.some((place) =>
    ENDINGS.some((ending) => existsSync(join(root, place, first + ending))),
  );
}
