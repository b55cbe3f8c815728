/** `npm run overnight`: installs the pinned agents, builds, and runs bench/overnight with the given arguments. */
import { join } from "node:path";
import { installAgents, succeeds } from "./install-agents.ts";

const isReady =
  installAgents(false) &&
  succeeds(process.execPath, [join(import.meta.dirname, "run.js"), "build"]);
if (!isReady) process.exit(1);
await import("../bench/overnight/overnight.ts");
