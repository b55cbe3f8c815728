/** Writes docs/prompts.md from real runs, one for each kind of prompt: `npm run prompts`. A test compares the page. */
import { writeFileSync } from "node:fs";
import { PROMPT_KINDS, promptSection } from "../test/end-to-end/prompts/prompt-kinds.ts";

const HEAD = `# What an agent is told

Each kind of prompt, as it reached the agent in a real run through the command line; written by \`npm run prompts\` and compared by a
test. After a failure every prompt has the newest failure whole, then one history, newest first, then what the working tree holds.
Only attempts at the work are history: crashes, limits, logins and outages are not told as approaches that failed. Text of agents,
checks and repositories stands between fences.`;

const sections = PROMPT_KINDS.map(({ name }) => promptSection(name));
writeFileSync("docs/prompts.md", `${[HEAD, ...sections].join("\n\n")}\n`);
