/** Version control errors: conflicting histories and trees, invalid calls, and states that block an operation. */
import { rule, type Rule } from "../classify/rule.ts";

export const GIT: readonly Rule[] = [
  rule("merge-conflict", "merge_conflict", "verdict", 0.97, {
    lines: String.raw`
      conflict,conflit,konflikt => ^(?:\S{1,40}: )?(?:CONFLICT|KONFLIKT|CONFLIT) ?[(（]
      conflicto,conflito,conflitto => ^(?:\S{1,40}: )?(?:CONFLICTO|CONFLITTO|CONFLITO) ?[(（]
      конфликт,コン,冲突,競合,衝突,충돌 => ^(?:\S{1,40}: )?(?:КОНФЛИКТ|冲突|競合|衝突|충돌|コンフリクト) ?[(（]
      automatic => \bAutomatic merge failed\b
      conflict => \bMerge conflict in \S
      automatischer => \bAutomatischer Merge fehlgeschlagen
      automatique => \bLa fusion automatique a échoué
      automática => \bFusión automática falló
      并失 => 自动合并失败
      自動 => 自動マージに失敗
      fix => \bfix conflicts and then commit\b
      merge => \bmerge conflicts? (?:in|detected|found|must)\b
      unresolved => \b[Uu]nresolved (?:merge )?conflicts?\b
      have,need => \byou (?:have|need to resolve) (?:your )?(?:unmerged|current index|conflicts)
      needs => \bneeds merge$
      unmerged => ^Unmerged paths:$
      possible => \b(?:Merging|Pulling) is not possible because you have (?:unmerged|
      ... an unmerged)
      committing => \bCommitting is not possible because you have (?:unmerged|an unmerged)
      picking => \bCherry-picking is not possible because you have (?:unmerged|an unmerged)
      reverting => \bReverting is not possible because you have (?:unmerged|an unmerged)
      rebasing => \bRebasing is not possible because you have (?:unmerged|an unmerged)
      manually => \bResolve all conflicts manually\b
      head,ours,updated => ^<{7} (?:HEAD|ours|Updated upstream)\b
      unresolved => \bunresolved conflicts? \(see
      tree => \btree conflict\b
      remain,remains => \bremains? in conflict\b
      summary => \bSummary of conflicts\b
      resolving => \bafter resolving the conflicts\b
      conflicting => \bConflicting files?:$
      conflicts => \bhas conflicts that must be resolved
      mergeable => \bnot mergeable\b
      merging => \bconflicts while merging\b
      unresolved => \b[1-9]\d{0,5} files unresolved\b
      conflicts => \bunresolved merge conflicts\b
    `,
    unless: String.raw`
      \bpeer\b
      \bdependen
      \bname conflict\b
      \bport conflict\b
      \bconflict: unable to
    `,
  }),
  rule("push-rejected", "merge_conflict", "verdict", 0.93, {
    lines: String.raw`
      rejected,rejeté,zurückgewiesen => ! \[(?:rejected|zurückgewiesen|rejeté)\]
      rechazado,rifiutato => ! \[(?:rechazado|rifiutato)\]
      rejeitado,отклонено,已拒,拒否,거부 => ! \[(?:rejeitado|отклонено|已拒绝|拒否|거부됨)\]
      forward => \bnon-fast-forward\b
      updates => \bUpdates were rejected because\b
      forward => \bNot possible to fast-forward\b
      stale => \bstale info\b
      tip => \btip of your current branch is behind\b
    `,
  }),
  rule("would-be-overwritten", "merge_conflict", "typed", 0.85, {
    lines: String.raw`
      overwritten => \bwould be overwritten by\b
      refusing => \brefusing to merge unrelated histories
      how => \b[Nn]eed to specify how to reconcile divergent branches
      patch => \bpatch does not apply\b
      patch => \bPatch failed at\b
      hunk,hunks => \bhunks? FAILED\b
      hunk => ^Hunk #\d{1,5} FAILED
      apply => \bcould not apply [0-9a-f]{6,40}\b
      apply => \bcould not apply\b.{0,80}$
      apply,cherry,revert => \berror: could not (?:apply|revert|cherry-pick)\b
      stash => \bcommit your changes or stash them\b
      diverged => \b(?:have|has) diverged\b
      lacks => \brepository lacks necessary blobs to fall back on 3-way
      reversed => \bReversed \(or previously applied\) patch
      unmerged,unstaged => \byou have (?:unmerged|unstaged changes)\b
      pull,rebase => \b[Cc]annot (?:rebase|pull with rebase): (?:You have|Your)
      cherry,merge => \b[Cc]annot (?:merge|cherry-pick): (?:You have|Your)
      already => \balready a rebase-(?:merge|apply) directory
      concluded => \bYou have not concluded your (?:merge|cherry-pick)
      creates => \bcreates new remote heads
      creates => \bpush creates new remote head
      uncommitted => \buncommitted changes\b.{0,60}(?:merge|update|rebase|commit|stash)
      date => \bout of date\b.{0,40}(?:svn|File|Directory)
      svn => ^svn: E(?:155011|160024|155015)\b
      ihre => \bIhre lokalen Änderungen\b.{0,80}(?:überschrieben|écrasées|sobr|overwritten)
      vos => \bVos modifications locales\b.{0,80}(?:überschrieben|écrasées|sobr|overwritten)
      sus => \bSus cambios locales\b.{0,80}(?:überschrieben|écrasées)
      changes,sus => \b(?:Sus cambios locales|Your local changes)\b.{0,80}(?:sobr|overwritten)
      changes => \bYour local changes\b.{1,80}overwritten
    `,
  }),
  rule("git-arguments", "invalid_arguments", "exact", 0.75, {
    lines: String.raw`
      revision => \bbad revision '
      revision => \bunknown revision or path not in the working tree
      refspec => \bsrc refspec .{1,120} does not match any
      upstream => \bhas no upstream branch
      remote => \bNo such remote\b
      tracking => \bno tracking information for the current branch
      valid => \bnot a valid (?:object name|branch name|ref)
      push => \bNo configured push destination
      couldn => \bcouldn't find remote ref
      specify => \bYou must specify a (?:repository|remote)
      ambiguous,bad,needed => \bfatal: (?:Needed a single revision|ambiguous argument|
      ... bad object)
      fatal => \bfatal: (?:invalid reference|no such branch)
      fatal => \bfatal: (?:Invalid (?:refspec|object)|unrecognized|Too many arguments)
      fatal => \bfatal: (?:You are not currently on a branch|invalid upstream)
      upstream => \bupstream branch of your current branch does not match
      abort => \babort: unknown revision
      abort => \babort: unknown branch
      commit => \bis not a commit and a branch
      branch => \bRemote branch .{1,80} not found in upstream
    `,
  }),
  rule("no-such-remote", "invalid_arguments", "verdict", 0.9, {
    lines: String.raw`appear => \bfatal: '.{1,200}' does not appear to be a git repository`,
  }),
  rule("not-a-repository", "unknown", "typed", 0.75, {
    lines: String.raw`
      repository => \b[Nn]ot a git repository\b
      repository => \bno repository found in\b
      git => Kein Git-Repository
      ceci => ni ceci ni aucun de ses (?:parents|répertoires)
      repositorio => no es un repositorio git
      repository => non è un repository git
      repositório => não é um repositório git
      найден => не найден git репозиторий
      репозитори => не (?:является )?(?:git )?репозитори
      仓库 => 不是 ?(?:一个 )?git 仓库
      リポ => git リポジトリではありません
      copy => \bnot a working copy\b
      svn => ^svn: E155007
      hg,mercurial => \bnot a (?:hg|mercurial) repository
    `,
  }),
  rule("git-states", "unknown", "exact", 0.7, {
    lines: String.raw`
      nothing => \bnothing to commit\b
      added => \bno changes added to commit
      added => \bnothing added to commit
      ignored => \bpaths are ignored by one of your
      merged => \bis not fully merged\b
      delete => \bCannot delete branch\b
      changes,local,staged => \bfile has (?:local modifications|changes staged|staged content)
      tell => \bPlease tell me who you are
      dubious => \bdetected dubious ownership
      forget => \bNo changes - did you forget to use 'git add'
      entries => \bNo stash entries found
      commits => \bdoes not have any commits yet\b
      aborting => \bAborting commit due to empty commit message
      already => \bA branch named '.{1,120}' already exists
      tag => \btag '.{1,120}' already exists
      already => \bremote \S{1,60} already exists
    `,
  }),
];
