/** `npm run lab`: builds, then runs bench/lab with the given arguments. */
import { join } from "node:path";
import { succeeds } from "./install-agents.ts";

if (!succeeds(process.execPath, [join(import.meta.dirname, "run.js"), "build"])) process.exit(1);
await import("../bench/lab/lab.ts");
