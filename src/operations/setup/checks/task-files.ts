/**
 * Checks from a Makefile or a justfile, for projects without a more specific reader. A target whose recipe watches or
 * serves is left out; a recipe that needs arguments is not a check.
 */
import type { Manifests } from "../manifests.ts";
import { endingOfText } from "./one-shot.ts";
import { firstOf, found, NOTHING, together, type Reading } from "./reading.ts";

const TARGETS = ["check", "lint", "test"];

export function make(at: Manifests): Reading {
  const file = firstOf(at, "GNUmakefile", "makefile", "Makefile");
  if (file === undefined) return NOTHING;
  const text = at.text(file);
  return targets(file, "make", (name) =>
    recipeOf(text, new RegExp(`^${name}[ \\t]{0,20}::?(?!=)([^\\n]{0,2000})`, "m")),
  );
}

/** Parameters with a default may be omitted: `test filter="": build`. */
const PARAMETERS = `(?:[ \\t]{1,20}[*+$]?[\\w-]{1,60}=(?:"[^"\\n]{0,200}"|'[^'\\n]{0,200}'|[^\\s:]{1,200})|[ \\t]{1,20}\\*[\\w-]{1,60}){0,10}`;

export function just(at: Manifests): Reading {
  const file = firstOf(at, "justfile", "Justfile", ".justfile");
  if (file === undefined) return NOTHING;
  const text = at.text(file);
  return targets(file, "just", (name) =>
    recipeOf(text, new RegExp(`^@?${name}${PARAMETERS}[ \\t]{0,20}:(?!=)([^\\n]{0,2000})`, "m")),
  );
}

const targets = (
  file: string,
  program: string,
  recipe: (name: string) => readonly string[] | undefined,
): Reading =>
  together(
    TARGETS.map((name): Reading => {
      const lines = recipe(name);
      if (lines === undefined) return NOTHING;
      const open = lines.map((line) => endingOfText(line)).find(({ kind }) => kind !== "ends");
      if (open === undefined || !("why" in open)) return found(file, `${program} ${name}`);
      return { checks: [], leftOut: [{ what: `${program} ${name}`, from: file, why: open.why }] };
    }),
  );

const LINES_MOST = 100;

/** The lines of a target; undefined if there is no such target. */
function recipeOf(text: string, head: RegExp): readonly string[] | undefined {
  const match = head.exec(text);
  if (match === null) return undefined;
  const lines = text
    .slice(match.index + match[0].length)
    .split("\n", LINES_MOST)
    .slice(1);
  const end = lines.findIndex((line) => line.trim() !== "" && !/^[ \t]/.test(line));
  const own = lines.slice(0, end < 0 ? lines.length : end);
  const [, inline = ""] = /;(.*)/.exec(match[1] ?? "") ?? [];
  return [inline, ...own].map((line) => line.trim().replace(/^[@+-]{1,3}/, ""));
}
