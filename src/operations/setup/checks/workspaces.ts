/**
 * Checks of all packages in a workspace at once through the package manager, for a root without such a script of its
 * own. Invariants: members are searched for only where the root's patterns point; at most MEMBERS_MOST of them are
 * read.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf, listOf, textOf, type Fields } from "../../../agents/output/json.ts";
import { manifestsOf, type Manifests } from "../manifests.ts";
import { namedManager, nodeManager, shellWord } from "../node-installer.ts";
import { endingOf, type Ending } from "./one-shot.ts";
import { isReal, readingOf } from "./script-checks.ts";
import { NOTHING, together, type Reading } from "./reading.ts";

const MEMBERS_MOST = 60;
/** Used if packages can only be named one at a time. */
const NAMED_MOST = 5;
const KINDS = new Set(["typecheck", "lint", "test"]);

interface Member {
  readonly name: string;
  readonly ending: Ending;
}

export function workspaceChecks(at: Manifests, manifest: Fields, script: string): Reading {
  if (!KINDS.has(script)) return NOTHING;
  const members = membersOf(at, manifest);
  const having = members.flatMap((member): Member[] => {
    const own = member.json("package.json") ?? {};
    const scripts = fieldsOf(own["scripts"]);
    return isReal(scripts[script])
      ? [{ name: textOf(own["name"]).slice(0, 100), ending: endingOf(scripts, script) }]
      : [];
  });
  if (having.length === 0) return NOTHING;
  const { manager } = nodeManager(at);
  const ending = sameFor(having, script);
  if (manager !== "yarn" || isNewYarn(at) || having.length === members.length)
    return readingOf(ending, `${script} of the workspaces`, (_, args = "") =>
      allCommand(manager, isNewYarn(at), script, args),
    );
  const each = having.filter(({ name }) => /^@?[\w./-]{1,100}$/.test(name)).slice(0, NAMED_MOST);
  return together(
    each.map(({ name, ending: own }) =>
      readingOf(own, `${script} of ${name}`, (called = script, args = "") =>
        `yarn workspace ${shellWord(name)} run ${called} ${args}`.trimEnd(),
      ),
    ),
  );
}

function allCommand(manager: string, isNew: boolean, script: string, args: string): string {
  const more = args === "" ? "" : ` ${args}`;
  if (manager === "pnpm")
    return `pnpm -r ${more === "" && script === "test" ? "" : "run "}${script}${more}`;
  if (manager === "bun") return `bun run --filter '*' ${script}${more}`;
  if (manager === "yarn")
    return isNew
      ? `yarn workspaces foreach -A run ${script}${more}`
      : `yarn workspaces run ${script}${more}`;
  const word = script === "test" ? "test" : `run ${script}`;
  return `npm ${word} --workspaces --if-present${more === "" ? "" : ` --${more}`}`;
}

/** One command runs them all, so the same arguments must end them all. */
function sameFor(members: readonly Member[], script: string): Ending {
  const open = members.filter(({ ending }) => ending.kind !== "ends");
  const [first] = open;
  if (first === undefined || first.ending.kind === "ends") return { kind: "ends" };
  const { ending } = first;
  const stuck = open.find(
    (one) =>
      one.ending.kind === "never" || (one.ending.kind === "with-arguments" && !one.ending.endsInCi),
  );
  if (stuck === undefined) return { kind: "with-ci", why: ending.why };
  const isSame =
    ending.kind === "with-arguments" &&
    ending.script === script &&
    open.length === members.length &&
    open.every(({ ending: one }) => one.kind === "with-arguments" && one.args === ending.args);
  const { why } = stuck.ending as Extract<Ending, { readonly why: string }>;
  return isSame ? ending : { kind: "never", why: `${why} (${stuck.name})` };
}

const isNewYarn = (at: Manifests): boolean =>
  /^yarn@(?:[2-9]|\d\d)/.test(namedManager(at)) ||
  at.has(".yarnrc.yml") ||
  /^__metadata:/m.test(at.text("yarn.lock"));

/** The packages matched by the root's patterns. */
function membersOf(at: Manifests, manifest: Fields): readonly Manifests[] {
  const listed = manifest["workspaces"];
  const own = Array.isArray(listed) ? listed : listOf(fieldsOf(listed)["packages"]);
  const lines = at.text("pnpm-workspace.yaml").slice(0, 20_000);
  const ofPnpm = [...lines.matchAll(/^\s{0,10}-\s{1,5}["']?([^"'\s#]{1,200})["']?/gm)].map(
    ([, pattern]) => pattern,
  );
  return [...own, ...ofPnpm]
    .flatMap((pattern) => (typeof pattern === "string" ? foldersOf(at.folder, pattern) : []))
    .slice(0, MEMBERS_MOST)
    .map((folder) => manifestsOf(folder))
    .filter((member) => member.has("package.json"));
}

function foldersOf(root: string, pattern: string): readonly string[] {
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..") || pattern.startsWith("!") || pattern.startsWith("/")) return [];
  const expand = (folders: readonly string[], part: string): readonly string[] =>
    part.includes("*")
      ? folders.flatMap((folder) => foldersIn(folder).map((name) => join(folder, name)))
      : folders.map((folder) => join(folder, part));
  return parts.reduce(expand, [root]);
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name))
      .map(({ name }) => name)
      .sort()
      .slice(0, MEMBERS_MOST);
  } catch {
    return [];
  }
}
