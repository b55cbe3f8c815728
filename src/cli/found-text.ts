/** What was found in a repository, what its checks say on the base, and where that comes from, for a person. */
import { cleanLine, count } from "../operations/text.ts";
import type { OutputOf } from "../operations/operation.ts";
import type { writePlan } from "../operations/setup/init.ts";
import type { TryHappening } from "../operations/setup/try-on-base.ts";
import { styled } from "./io.ts";

type Plan = OutputOf<typeof writePlan>;
type Tried = NonNullable<Plan["tried"]>[number];

const LINE_MOST = 400;

export function foundText({ file, agents, setup, checks, leftOut, tried = [] }: Plan): string {
  const rows: (readonly [label: string, words: string])[] = [
    ...agents.map(({ title, version = "" }) => ["agent", `${title} ${version}`.trimEnd()] as const),
    ...(setup?.commands ?? []).map(
      (command) => ["setup", `${command}  (from ${setup?.from ?? ""})`] as const,
    ),
    ...checks.map(({ run, from, note }) => {
      const why = note === undefined ? "" : `; ${note}`;
      const state = tried.find((one) => one.run === run);
      const said = state === undefined ? "" : `: ${stateText(state)}`;
      return ["check", `${run}  (from ${from}${why})${said}`] as const;
    }),
    ...leftOut.map(({ what, from, why }) => ["left out", `${what} in ${from}: ${why}`] as const),
  ];
  const lines = rows.map(
    ([label, words]) => `${styled("dim", label.padEnd(8))}  ${cleanLine(words, LINE_MOST)}`,
  );
  return [
    `Wrote ${file}`,
    ...lines,
    ...(agents.length === 0 ? ["No agent found. To see how to install one: unstuck doctor"] : []),
    ...(checks.length === 0
      ? [
          `No checks found. Without one, nothing is verified: name a command under checks in ${file}`,
        ]
      : []),
    "",
    `Write your goal into ${file}, then start: unstuck run`,
  ].join("\n");
}

/** What a check says on the base. */
function stateText({ state, items, headline = "", why = "" }: Tried): string {
  switch (state) {
    case "green":
      return "passes";
    case "red": {
      const many = items === undefined ? "" : ` (${count(items, "failure")})`;
      return `fails today${many}${headline === "" ? "" : `: ${headline}`}`;
    }
    case "hangs":
      return `left out, it ${why}`;
    case "cannot-run":
      return `left out, it cannot run: ${why}`;
  }
}

/** One line for a step of the try; nothing where its end says it all. */
export function tryingText(happening: TryHappening): string | undefined {
  switch (happening.kind) {
    case "set-up":
      return cleanLine(`Setting up: ${happening.commands.join("; ")}`, LINE_MOST);
    case "check-started":
      return cleanLine(`Running on your last commit: ${happening.run}`, LINE_MOST);
    case "check-ended":
      return undefined;
  }
}
