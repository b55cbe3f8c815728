/**
 * Whether a shell command can destroy what nobody has a copy of: files beyond the worktree, history, disks, databases.
 * Invariant: never throws; linear; what it does not know is not called destructive.
 */
import { shellCommands } from "./commands.ts";

const PROGRAMS: ReadonlySet<string> = new Set([
  ...["dd", "mkfs", "shred", "wipefs", "fdisk", "parted", "sudo", "doas"],
]);

const WORDS: readonly RegExp[] = [
  /^rm (?:.* )?-\w*[rRf]/,
  /^rm .*--(?:recursive|force)\b/,
  /^git push .*(?:--force|--mirror|--delete| -f\b)/,
  /^git (?:reset .*--hard|clean .*-\w*[fdx]|branch .*-D|filter-branch|reflog expire)/,
  /^(?:chmod|chown) .*-\w*R/,
  /^find .*-delete\b/,
  /\b(?:drop|truncate) (?:table|database|schema)\b/i,
];

export const destructive = (command: string): boolean =>
  shellCommands(command).some(({ words }) => {
    const [program = "", ...args] = words;
    const name = program.slice(program.lastIndexOf("/") + 1).slice(0, 60);
    const text = [name, ...args].join(" ").slice(0, 4000);
    return (
      PROGRAMS.has(name) || name.startsWith("mkfs.") || WORDS.some((pattern) => pattern.test(text))
    );
  });
