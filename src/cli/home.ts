/**
 * Where Unstuck keeps its things: `$UNSTUCK_HOME`, by default the XDG state folder. Imports node:.
 * One database per user, one folder per run; nothing is ever kept in the user's repository.
 */
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export interface Home {
  readonly root: string;
  readonly database: string;
  readonly trust: string;
  readonly runDir: (run: string) => string;
}

export function openHome(): Home {
  const given = process.env["UNSTUCK_HOME"];
  const state = process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state");
  const root = given !== undefined && given !== "" ? given : join(state, "unstuck");
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return {
    root,
    database: join(root, "unstuck.db"),
    trust: join(root, "trust.json"),
    runDir: (run) => join(root, "runs", run),
  };
}
