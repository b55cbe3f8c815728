/** Which files of the checkout a run's base will hold. */
import { git, records, text } from "./git.ts";
import { userView } from "./git-dir.ts";
import { settled } from "./refusal.ts";
import type { Control, Inspection, Result } from "./types.ts";

/** Of the given paths those that git tracks, and with changes also those that it does not ignore. */
export const heldFiles = (
  repository: Pick<Inspection, "gitDir" | "root">,
  paths: readonly string[],
  withChanges: boolean,
  control: Control = {},
): Promise<Result<readonly string[]>> =>
  settled(async () => {
    const others = withChanges ? ["-o", "--exclude-standard"] : [];
    const args = ["ls-files", "-z", "-c", ...others, "--", ...paths];
    const { stdout } = await git({ args, env: userView(repository), config: "user" }, control);
    return records(stdout).map(text);
  });
