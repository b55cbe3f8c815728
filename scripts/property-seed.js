/**
 * Loaded before every test file: property tests use a fixed seed, so that the suite is repeatable. `UNSTUCK_SEED=7 npm
 * test` uses another seed, `UNSTUCK_SEED=random npm test` a new one each time. When its process exits, it records the
 * processor time of the file and everything it started, where the system reports it.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import fc from "fast-check";

const asked = process.env.UNSTUCK_SEED ?? "20240611";
if (asked !== "random") fc.configureGlobal({ seed: Number(asked) });

const [, file = ""] = process.argv;
const notes = process.env.UNSTUCK_TEST_TIMES ?? "";
// Not in processes that a test starts: they count with their file.
delete process.env.UNSTUCK_TEST_TIMES;
if (notes !== "" && existsSync("/proc/self/stat"))
  process.on("exit", () => {
    const fields = readFileSync("/proc/self/stat", "latin1").split(") ").at(-1).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    appendFileSync(notes, `${file}\t${ticks * 10}\n`);
  });
