/**
 * Histories and trees that do not fit together, and other things version control refuses.
 * Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const MERGES: readonly Rule[] = [
  {
    id: "merge-conflict",
    kind: "merge_conflict",
    level: "verdict",
    confidence: 0.97,
    words: ["automatic", "automatique", "automatischer", "automática", "conflict", "conflicting", "conflicto", "conflicts", "conflit", "conflito", "conflitto", "fix", "have", "head", "konflikt", "manually", "merge", "mergeable", "merging", "need", "needs", "ours", "possible", "remain", "remains", "resolving", "summary", "tree", "unresolved", "updated", "конфликт", "コン", "冲突", "并失", "競合", "自動", "衝突", "충돌"],
    pattern:
      /^(?:\S{1,40}: )?(?:CONFLICT|KONFLIKT|CONFLIT|CONFLICTO|CONFLITTO|CONFLITO|КОНФЛИКТ|冲突|競合|衝突|충돌|コンフリクト) ?[(（]|\bAutomatic merge failed\b|\bMerge conflict in \S|\bAutomatischer Merge fehlgeschlagen|\bLa fusion automatique a échoué|\bFusión automática falló|自动合并失败|自動マージに失敗|\bfix conflicts and then commit\b|\bmerge conflicts? (?:in|detected|found|must)\b|\b[Uu]nresolved (?:merge )?conflicts?\b|\byou (?:have|need to resolve) (?:your )?(?:unmerged|current index|conflicts)|\bneeds merge$|\b(?:Merging|Pulling|Committing|Cherry-picking|Reverting|Rebasing) is not possible because you have (?:unmerged|an unmerged)|\bResolve all conflicts manually\b|^<{7} (?:HEAD|ours|Updated upstream)\b|\bunresolved conflicts? \(see|\btree conflict\b|\bremains? in conflict\b|\bSummary of conflicts\b|\bafter resolving the conflicts\b|\bConflicting files?:$|\bhas conflicts that must be resolved|\bnot mergeable\b|\bconflicts while merging\b|\b[1-9]\d{0,5} files unresolved\b|\bunresolved merge conflicts\b/,
    except: /\bpeer\b|\bdependen|\bname conflict\b|\bport conflict\b|\bconflict: unable to/i,
    example: "CONFLICT (content): Merge conflict in carts.txt",
    nearMiss: "a conflict of interest",
  },
  {
    id: "push-rejected",
    kind: "merge_conflict",
    level: "verdict",
    confidence: 0.93,
    words: ["forward", "rechazado", "rejected", "rejeitado", "rejeté", "rifiutato", "stale", "tip", "updates", "zurückgewiesen", "отклонено", "已拒", "拒否", "거부"],
    pattern:
      /! \[(?:rejected|zurückgewiesen|rejeté|rechazado|rifiutato|rejeitado|отклонено|已拒绝|拒否|거부됨)\]|\bnon-fast-forward\b|\bUpdates were rejected because\b|\bNot possible to fast-forward\b|\bstale info\b|\btip of your current branch is behind\b/,
    example: " ! [rejected]        main -> main (fetch first)",
    nearMiss: "the offer was rejected",
  },
  {
    id: "would-be-overwritten",
    kind: "merge_conflict",
    level: "typed",
    confidence: 0.85,
    words: ["already", "apply", "changes", "cherry", "concluded", "creates", "date", "diverged", "how", "hunk", "hunks", "ihre", "lacks", "merge", "overwritten", "patch", "pull", "rebase", "refusing", "reversed", "revert", "stash", "sus", "svn", "uncommitted", "unmerged", "unstaged", "vos"],
    pattern:
      /\bwould be overwritten by\b|\brefusing to merge unrelated histories|\b[Nn]eed to specify how to reconcile divergent branches|\bpatch does not apply\b|\bPatch failed at\b|\bhunks? FAILED\b|^Hunk #\d{1,5} FAILED|\bcould not apply [0-9a-f]{6,40}\b|\bcould not apply\b.{0,80}$|\berror: could not (?:apply|revert|cherry-pick)\b|\bcommit your changes or stash them\b|\b(?:have|has) diverged\b|\brepository lacks necessary blobs to fall back on 3-way|\bReversed \(or previously applied\) patch|\byou have (?:unmerged|unstaged changes)\b|\b[Cc]annot (?:rebase|pull with rebase|merge|cherry-pick): (?:You have|Your)|\balready a rebase-(?:merge|apply) directory|\bYou have not concluded your (?:merge|cherry-pick)|\bcreates new remote heads|\bpush creates new remote head|\buncommitted changes\b.{0,60}(?:merge|update|rebase|commit|stash)|\bout of date\b.{0,40}(?:svn|File|Directory)|^svn: E(?:155011|160024|155015)\b|\b(?:Ihre lokalen Änderungen|Vos modifications locales|Sus cambios locales|Your local changes)\b.{0,80}(?:überschrieben|écrasées|sobr|overwritten)/,
    example: "error: Your local changes to the following files would be overwritten by merge:",
    nearMiss: "the tape was overwritten",
  },
  {
    id: "git-arguments",
    kind: "invalid_arguments",
    level: "exact",
    confidence: 0.75,
    words: ["abort", "branch", "commit", "couldn", "fatal", "push", "refspec", "remote", "revision", "specify", "tracking", "upstream", "valid"],
    pattern:
      /\bbad revision '|\bunknown revision or path not in the working tree|\bsrc refspec .{1,120} does not match any|\bhas no upstream branch|\bNo such remote\b|\bno tracking information for the current branch|\bnot a valid (?:object name|branch name|ref)|\bNo configured push destination|\bcouldn't find remote ref|\bYou must specify a (?:repository|remote)|\bfatal: (?:Needed a single revision|ambiguous argument|bad object|invalid reference|no such branch|Invalid (?:refspec|object)|unrecognized|Too many arguments|You are not currently on a branch|invalid upstream)|\bupstream branch of your current branch does not match|\babort: unknown revision|\babort: unknown branch|\bis not a commit and a branch|\bRemote branch .{1,80} not found in upstream/,
    example: "fatal: bad revision 'cart~9'",
    nearMiss: "a revision of the text",
  },
];
