/** What each rule of `git` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const GIT: Examples = {
  "merge-conflict": {
    example: "CONFLICT (content): Merge conflict in carts.txt",
    nearMiss: "a conflict of interest",
  },
  "push-rejected": {
    example: " ! [rejected]        main -> main (fetch first)",
    nearMiss: "the offer was rejected",
  },
  "would-be-overwritten": {
    example: "error: Your local changes to the following files would be overwritten by merge:",
    nearMiss: "the tape was overwritten",
  },
  "git-arguments": { example: "fatal: bad revision 'cart~9'", nearMiss: "a revision of the text" },
  "no-such-remote": {
    example: "fatal: 'orign' does not appear to be a git repository",
    nearMiss: "this does not appear to be a git repository that anybody uses",
  },
  "not-a-repository": {
    example: "fatal: not a git repository (or any of the parent directories): .git",
    nearMiss: "a repository of stories",
  },
  "git-states": { example: "nothing to commit, working tree clean", nearMiss: "nothing changes" },
};
