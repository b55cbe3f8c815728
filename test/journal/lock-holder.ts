// Holds the write lock of a database for a while: argv = path, milliseconds. Says "locked", and when it lets go.
import { DatabaseSync } from "node:sqlite";

const [path = "", ms = "0"] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec("BEGIN IMMEDIATE");
process.stdout.write("locked\n");
setTimeout(() => {
  process.stdout.write(`${Date.now()}\n`);
  database.exec("ROLLBACK");
  database.close();
}, Number(ms));
