/**
 * Checks from the scripts of a package.json, run through the project's own package manager. A script that watches is
 * run once, or left out with the reason; if the root has no script of a kind, those of its workspaces count. Invariant:
 * only script names that are plain words become part of a command.
 */
import { fieldsOf, type Fields } from "../../../agents/output/json.ts";
import { shellCommands } from "../../../core/shell/commands.ts";
import type { Manifests } from "../manifests.ts";
import { nodeManager } from "../node-installer.ts";
import { endingOf, type Ending } from "./one-shot.ts";
import { filesInProject, found, NOTHING, together, type Reading } from "./reading.ts";
import { isReal, readingOf, scriptCommand } from "./script-checks.ts";
import { workspaceChecks } from "./workspaces.ts";

/** In the order they run, the fastest first. Of each row the first script that can be a check is used. */
const KINDS: readonly (readonly string[])[] = [
  ["typecheck", "type-check", "types", "check-types", "check:types", "tsc"],
  ["lint"],
  ["test", "test:ci", "test:run", "test:once", "test:unit", "unit", "tests"],
  ["build"],
];

export function packageScripts(at: Manifests): Reading {
  const manifest = at.json("package.json");
  if (manifest === undefined) return NOTHING;
  const scripts = fieldsOf(manifest["scripts"]);
  const { manager } = nodeManager(at);
  const kinds = KINDS.map((names): Reading => {
    const tried = names
      .filter((name) => isReal(scripts[name]))
      .map((name) => readScript(manager, scripts, name));
    const can = tried.find(({ checks }) => checks.length > 0);
    if (can !== undefined) return can;
    const [kind = ""] = names;
    return together([...tried.slice(0, 1), workspaceChecks(at, manifest, kind)]);
  });
  const all = together(kinds);
  const isOwnRunner = manager === "bun" && !("test" in scripts);
  return isOwnRunner && filesInProject(at, /[._](?:test|spec)\.[cm]?[jt]sx?$/).length > 0
    ? together([all, found("package.json", "bun test")])
    : all;
}

function readScript(manager: string, scripts: Fields, name: string): Reading {
  const ending = name === "lint" ? endingOfLint(scripts) : endingOf(scripts, name);
  return readingOf(ending, `the script ${name}`, (script, args) =>
    scriptCommand(manager, script ?? name, args),
  );
}

/** A check judges and never edits. */
function endingOfLint(scripts: Fields): Ending {
  const text = String(scripts["lint"]);
  if (!/\s--(?:fix|write|apply)(?=\s|$)/.test(text)) return endingOf(scripts, "lint");
  const why = "the linter edits files";
  const commands = shellCommands(text.slice(0, 4000));
  return commands.at(-1)?.words.some((word) => word === "eslint") === true && !/--write/.test(text)
    ? { kind: "with-arguments", script: "lint", args: "--no-fix", why, endsInCi: false }
    : { kind: "never", why };
}
