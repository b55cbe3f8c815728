/**
 * Optional conveniences around a run: a repository, a machine that stays awake, completion in the editor, a service
 * after a reboot, a terminal. Nothing here prevents a run from starting. Invariant: changes nothing.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { cleanLine } from "../../core/foreign-text.ts";
import { inspect } from "../../workspace/repository/inspect.ts";
import { PLAN_FILE } from "../runs/given-plan.ts";
import { textIfThere } from "../text.ts";
import { ok, warning, type Finding } from "./finding.ts";
import { programOn } from "./found-agents.ts";
import { pathUp } from "./found-setup.ts";
import { serviceFile } from "./service.ts";

/** The repository, and the plan in it. */
export async function repositoryFindings(cwd: string): Promise<readonly Finding[]> {
  const found = await inspect(cwd);
  if (!found.ok)
    return [
      warning(
        "repository",
        "this folder is not in a git repository",
        "go to one, or: git init && git add -A && git commit -m start",
      ),
    ];
  const { root, head } = found.value;
  const repository =
    head.commit === null
      ? warning(
          "repository",
          `${cleanLine(root, 300)} has no commit yet`,
          "git add -A && git commit -m start",
        )
      : ok("repository", `${cleanLine(root, 300)}, ${cleanLine(head.branch ?? "no branch", 100)}`);
  return [repository, editorFinding(root, cwd)];
}

const NAMES_SCHEMA = /^# yaml-language-server: \$schema=\S/m;

/** Editors with a YAML language server complete from a schema. */
function editorFinding(root: string, cwd: string): Finding {
  const file = pathUp(root, cwd)
    .map((place) => join(place, PLAN_FILE))
    .find((one) => existsSync(one));
  if (file === undefined) return ok("editor", `no ${PLAN_FILE} here yet (unstuck init writes one)`);
  const name = relative(cwd, file);
  if (NAMES_SCHEMA.test(textIfThere(file) ?? ""))
    return ok("editor", `${name} names its schema: editors complete and check it`);
  const line = `# yaml-language-server: $schema=${schemaFile()}`;
  return warning(
    "editor",
    `${name} names no schema, so editors cannot complete it`,
    process.platform === "linux"
      ? `sed -i '1i ${line}' ${name}`
      : `put this first into it: ${line}`,
  );
}

/** Next to the launcher, in the package. */
function schemaFile(): string {
  const file = join("schemas", "plan.schema.json");
  try {
    return join(dirname(dirname(realpathSync(process.argv[1] ?? ""))), file);
  } catch {
    return file;
  }
}

/** Programs that keep a machine awake while a run works. */
const AWAKE: { readonly [platform in NodeJS.Platform]?: string } = {
  linux: "systemd-inhibit",
  darwin: "caffeinate",
};

export function sleepFinding(): Finding {
  const program = AWAKE[process.platform];
  const isThere =
    program !== undefined && programOn(process.env["PATH"] ?? "", program) !== undefined;
  const isManaged = process.platform !== "linux" || existsSync("/run/systemd/system");
  return isThere && isManaged
    ? ok("sleep", `${program} keeps this machine awake while a run works`)
    : warning(
        "sleep",
        "nothing here can keep the machine awake: a run waits while it sleeps",
        "turn automatic sleep off in the system's settings for long runs",
      );
}

export function serviceFinding(): Finding {
  const file = serviceFile();
  if (file === undefined)
    return ok("service", "none on this system; after a reboot: unstuck resume --all");
  return existsSync(file)
    ? ok("service", "installed: runs go on after a reboot")
    : ok("service", "not installed; to go on after a reboot: unstuck service install");
}

export interface SeenTerminal {
  /** Absent if the output is not a terminal. */
  readonly columns?: number | undefined;
  readonly colours?: boolean | undefined;
}

const NARROW = 40;

export function terminalFinding({ columns, colours = false }: SeenTerminal): Finding {
  if (columns === undefined) return ok("terminal", "none: runs are told line by line");
  const words = `${columns} columns, ${colours ? "colours" : "no colours"}`;
  return columns < NARROW
    ? warning(
        "terminal",
        `${words}: too narrow for the live screen`,
        `make it ${NARROW} columns or wider`,
      )
    : ok("terminal", words);
}
