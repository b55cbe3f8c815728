/**
 * Node's built-in SQLite. Node 22 calls it experimental and would warn on standard error in every command: only that
 * warning is suppressed, while the module loads.
 */
import type * as Sqlite from "node:sqlite";

export const sqlite = loadSqlite();

function loadSqlite(): typeof Sqlite {
  const warn = process.emitWarning.bind(process);
  process.emitWarning = (...given: [string | Error, ...unknown[]]) => {
    const isKnown = given[1] === "ExperimentalWarning" && String(given[0]).startsWith("SQLite is");
    if (!isKnown) Reflect.apply(warn, process, given);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = warn;
  }
}
