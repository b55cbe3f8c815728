/**
 * SQLite, as Node brings it. Node 22 calls it experimental and would say so on standard error in every command: that
 * one warning is held back while the module loads, and no other.
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
