/** `npm run lab`: builds, then bench/lab with the words it is given. */
import { join } from "node:path";
import { succeeds } from "./install-agents.ts";

if (!succeeds(process.execPath, [join(import.meta.dirname, "run.js"), "build"])) process.exit(1);
await import("../bench/lab/lab.ts");
