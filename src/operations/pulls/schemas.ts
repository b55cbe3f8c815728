/** Input and output schemas of opening a pull request. */
import * as z from "zod";
import { flag, text } from "../schema-fields.ts";
import { asked, outcome } from "../runs/schemas.ts";

export const openPullRequest = {
  input: z.strictObject({
    run: asked,
    remote: text.optional().describe("Default: the only one"),
    branch: text.optional().describe("Its name there; default: that of the run's result"),
    base: text.optional().describe("What it is to be merged into; default: the run's base branch"),
    title: text.optional(),
    draft: flag,
    unverified: flag.describe("Also a result that is not verified"),
    dryRun: flag.describe("Only tells what would be done"),
  }),
  output: z.strictObject({
    run: text,
    repository: text,
    outcome,
    remote: text,
    remoteUrl: text,
    branch: text,
    base: text,
    title: text,
    draft: z.boolean(),
    commit: text,
    files: z.number(),
    added: z.number(),
    removed: z.number(),
    /** `would-open`, `would-push`: a dry run; `there`: it was opened before; `pushed`: without gh to open it. */
    state: z.enum(["would-open", "would-push", "opened", "there", "pushed"]),
    pushed: z.boolean().describe("The remote has the commit"),
    requestState: text.exactOptional().describe("Of one that is there: open, merged or closed"),
    url: text.exactOptional().describe("Of the pull request, or of the page that opens it"),
  }),
};
