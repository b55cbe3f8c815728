/**
 * Random states of a user's repository, made by the deeds of a person, and hostile lines of an
 * agent. Imports fast-check and node:. What cannot be done in a state is left out. Hooks come last:
 * they tell on whoever runs them.
 */
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { Repository } from "../run/repository.ts";

const name = fc.constantFrom("a.ts", "b b.ts", "ünï/ç.txt", "dir/x.ts", "dir/y.sh", "z.log", "-n");
const content = fc.constantFrom("one\n", "two\r\n", "", "\0bin\xff", "three\n".repeat(200));
const SETTINGS = [
  ["core.autocrlf", "true"],
  ["core.untrackedCache", "true"],
  ["core.splitIndex", "true"],
  ["core.logAllRefUpdates", "always"],
  ["commit.gpgSign", "true"],
  ["gc.auto", "1"],
  ["gc.pruneExpire", "now"],
  ["index.version", "4"],
  ["push.default", "matching"],
  ["fetch.prune", "true"],
] as const;

const DEED = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("write" as const), name, content }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("stage" as const), name }) },
  fc.record({ do: fc.constantFrom("delete" as const, "chmod" as const, "unstage" as const), name }),
  fc.record({ do: fc.constantFrom("rename" as const, "git-rename" as const), name, to: name }),
  fc.record({
    do: fc.constantFrom(
      ...(["commit", "stash", "branch", "tag", "detach", "pack", "dangle"] as const),
    ),
  }),
  fc.record({
    do: fc.constant("ignore" as const),
    content: fc.constantFrom("*.ts\n", "dir/\n", "*.log\n"),
  }),
  fc.record({ do: fc.constant("set" as const), setting: fc.constantFrom(...SETTINGS) }),
);
export type Deed = typeof DEED extends fc.Arbitrary<infer T> ? T : never;
export const DEEDS: fc.Arbitrary<Deed[]> = fc.array(DEED, { minLength: 4, maxLength: 16 });

const HOSTILE = [
  "git stash -u",
  "git stash list; git stash drop; git stash clear",
  "git config core.bare true; git config core.hooksPath /nowhere; git config user.name nobody",
  "git gc -q --prune=now",
  "git reflog expire --expire=all --all; git prune --expire=now",
  "git checkout -q --detach; git branch -D main; git branch -D $(git branch --format='%(refname:short)')",
  "git add -A; git commit -qm mine",
  "git push -qf origin HEAD:main; git push -q --mirror origin; git push -q --all",
  'git push -qf "$(git config remote.origin.url)" HEAD:refs/heads/main :refs/heads/kept',
  "git for-each-ref --format='delete %(refname)' | git update-ref --stdin",
  "git reset -q --hard; git clean -ffdxq",
  "git worktree add -q ../beside; git worktree prune",
  "printf '#!/bin/sh\\ntouch ran\\n' > .git/hooks/post-commit; chmod +x .git/hooks/post-commit",
];
export const HOSTILE_LINES: fc.Arbitrary<string[]> = fc.shuffledSubarray(HOSTILE, { minLength: 3 });

/** A remote that a push would reach, a branch and a stash to lose, and then what the person did. */
export function makeState(here: Repository, deeds: readonly Deed[]): void {
  const remote = remoteOf(here);
  here.git("init", "-q", "--bare", "-b", "main", remote);
  here.git("remote", "add", "origin", remote);
  here.git("push", "-q", "origin", "main");
  here.git("branch", "kept");
  writeFileSync(join(here.path, "value.txt"), "stashed\n");
  here.git("stash", "push", "-q", "-m", "mine");
  for (const [index, deed] of deeds.entries()) {
    try {
      act(here, deed, index);
    } catch {
      // not possible in this state
    }
  }
  plantHooks(here);
}

export const remoteOf = (here: Repository): string => join(here.path, "..", "remote.git");
/** There if any hook of the user's ran. */
export const tellTale = (here: Repository): string => join(here.path, "..", "a-hook-ran");

function act(here: Repository, deed: Deed, index: number): void {
  const git = (...words: string[]): string => here.git(...words);
  const root = here.path;
  const at = "name" in deed ? join(root, deed.name) : root;
  switch (deed.do) {
    case "write":
      mkdirSync(dirname(at), { recursive: true });
      return writeFileSync(at, deed.content, "latin1");
    case "stage":
      return void git("add", "--", `./${deed.name}`);
    case "unstage":
      return void git("reset", "-q", "--", `./${deed.name}`);
    case "delete":
      return rmSync(at);
    case "chmod":
      return chmodSync(at, 0o755);
    case "rename":
      return existsSync(at) ? renameSync(at, join(root, deed.to)) : undefined;
    case "git-rename":
      return void git("mv", "--", `./${deed.name}`, `./${deed.to}`);
    case "ignore":
      return writeFileSync(join(root, ".gitignore"), deed.content);
    case "set":
      return void git("config", ...deed.setting);
    default:
      return void git(...plainWords(deed.do, index));
  }
}

function plainWords(
  what: "commit" | "stash" | "branch" | "tag" | "detach" | "pack" | "dangle",
  index: number,
): string[] {
  switch (what) {
    case "commit":
      return ["commit", "-q", "-a", "-m", `deed ${index}`];
    case "stash":
      return ["stash", "push", "-q", "-u", "-m", `deed ${index}`];
    case "branch":
      return ["branch", `unstuck-${index}`];
    case "tag":
      return ["tag", "-a", "-m", "tag", `t${index}`];
    case "detach":
      return ["checkout", "-q", "--detach"];
    case "pack":
      return ["pack-refs", "--all"];
    case "dangle":
      return ["commit-tree", "-m", `nobody's ${index}`, "HEAD^{tree}"];
  }
}

const HOOKS = [
  ...["post-checkout", "post-commit", "post-index-change", "post-merge", "post-rewrite"],
  ...["pre-auto-gc", "pre-commit", "pre-push", "reference-transaction"],
];

function plantHooks(here: Repository): void {
  const folder = join(here.path, ".git", "hooks");
  mkdirSync(folder, { recursive: true });
  for (const hook of HOOKS) {
    writeFileSync(join(folder, hook), `#!/bin/sh\necho ${hook} >> '${tellTale(here)}'\n`);
    chmodSync(join(folder, hook), 0o755);
  }
}
