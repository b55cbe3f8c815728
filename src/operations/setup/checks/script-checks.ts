/** What a package's script becomes: a check as it is, a check with arguments that make it end, or nothing. */
import { shellCommands } from "../../../core/shell/commands.ts";
import type { Ending } from "./one-shot.ts";
import { found, type Reading } from "./reading.ts";

const FILE = "package.json";

/** npm's default test script only says that there is no test; a script that only prints checks nothing. */
export function isReal(script: unknown): boolean {
  if (typeof script !== "string" || script.includes("no test specified")) return false;
  return shellCommands(script.slice(0, 4000)).some(
    ({ words: [program = ""] }) => !["", "echo", "true", ":", "exit"].includes(program),
  );
}

const PLAIN_NAME = /^[A-Za-z0-9][\w:.-]{0,80}$/;

/** `command` formats the command for this script, or for one that it calls. */
export function readingOf(
  ending: Ending,
  what: string,
  command: (script?: string, args?: string) => string,
): Reading {
  switch (ending.kind) {
    case "ends":
      return found(FILE, command());
    case "with-ci":
      return once(`CI=1 ${command()}`, ending.why);
    case "with-arguments":
      return PLAIN_NAME.test(ending.script)
        ? once(command(ending.script, ending.args), ending.why)
        : { checks: [], leftOut: [{ what, from: FILE, why: ending.why }] };
    case "never":
      return { checks: [], leftOut: [{ what, from: FILE, why: ending.why }] };
  }
}

const once = (run: string, why: string): Reading => ({
  checks: [{ run, from: FILE, note: `${why}, this form does not` }],
  leftOut: [],
});

/** npm only passes on arguments after `--`; pnpm passes even the `--` to the script. */
export function scriptCommand(manager: string, name: string, args = ""): string {
  if (manager === "npm")
    return `npm ${name === "test" ? "" : "run "}${name}${args === "" ? "" : ` -- ${args}`}`;
  const isShort = name === "test" && manager !== "bun" && args === "";
  return `${manager} ${isShort ? "" : "run "}${name}${args === "" ? "" : ` ${args}`}`;
}
