/** Missing permissions on this machine or with a service. */
import { rule, type Rule } from "../classify/rule.ts";

export const PERMISSIONS: readonly Rule[] = [
  rule("permission-denied", "permission_denied", "exact", 0.94, {
    lines: String.raw`
      denied => (?:^|[^\w/.-])[Pp]ermission denied\b
      eacces => \bEACCES\b
      eperm => \bEPERM\b
      permissionerror => \bPermissionError\b
      permitted => \b[Oo]peration not permitted\b
      erofs => \bEROFS\b
      denied => \bPermission denied\b
      system => \b[Rr]ead-only file system\b
      filesystem => \b[Rr]ead-only filesystem\b
    `,
    unless: String.raw`
      \(publickey
      \bPermission denied \((?:publickey|password|keyboard)
      permission denied maps
      \bauthenticat
      Permission denied, please try again
    `,
  }),
  rule("access-denied", "permission_denied", "exact", 0.9, {
    lines: String.raw`
      access => \b[Aa]ccess (?:is |was |to the path '.{1,200}' is )?denied\b
      unauthorizedaccess,unauthorizedaccessexception => \bUnauthorizedAccess(?:Exception)?\b
      accessdenied,accessdeniederror,accessdeniedexception => \bAccessDenied(?:Exception|
      ... Error)?\b
      forbidden => \bError from server \(Forbidden\)
      permissiondenied => \bPermissionDenied\b
      winerror => \[WinError 5\]
      authorized => \bis not authorized to perform:?\b
      authorizationfailed => \bAuthorizationFailed\b
      forbidden => \bAccess forbidden\b
      authorized => \bNot authorized to access\b
    `,
    unless: String.raw`
      \bAccess denied for user\b
      \bpull access denied\b
      \busing password\b
      \baccess denied .{0,40}(?:login|credentials|api key)
    `,
  }),
  rule("needs-root", "permission_denied", "exact", 0.92, {
    ignoreCase: true,
    lines: String.raw`
      be => \b(?:must|need(?:s)? to|has to|have to|should|can only) be (?:run (?:as|with|by)|
      ... executed (?:as|with)|started as|root|the superuser)\b.{0,40}(?:root|sudo|superuser|
      ... admin)?
      root => \bare you root\?
      superuser => \brequires? superuser(?: privileges?| rights| access| permissions?)?\b
      require,requires => \brequires? root(?: privileges?| rights| access| permissions?)?\b
      administrator => \brequires? administrator(?: privileges?| rights| access| permissions?)?
      ... \b
      elevated => \brequires? elevated(?: privileges?| rights| access| permissions?)?\b
      admin => \brequires? admin(?: privileges?| rights| access| permissions?)?\b
      sudo => \brequires? sudo(?: privileges?| rights| access| permissions?)?\b
      need => \byou need (?:superuser|root|administrator|admin)
      need => \bneed to be root\b
      root,superuser => \bas (?:root|superuser)\b.{0,30}(?:required|only|privileges)
      administrator => \bas administrator\b.{0,30}(?:required|only|privileges)
      run => \brun (?:this |the )?(?:command |program |script )?(?:again )?(?:as|with) (?:root|
      ... sudo|administrator|an? administrator|superuser)
      sudoers => \bis not in the sudoers file
      sudo => \bsudo: (?:a (?:password|terminal) is required|no tty present)
      sudo => \bsudo: sorry, you must have a tty
      requires => \brequested operation requires (?:superuser|elevation)
      requires => \boperation requires elevation
      root => \bonly root can\b
      access,permission,permissions,privilege,privileges,rights => \byou (?:do not|
      ... don't) have (?:the )?(?:required |sufficient |enough |write |
      ... necessary )?(?:permissions?|privileges?|rights|access)\b
      insufficient => \binsufficient (?:permissions?|privileges?|rights|access)\b
      perform => \bcannot perform this operation (?:as root|unless you are root)
      superuser => \bsuperuser privileges\b
      administrator => \bNeed administrator\b
      sudo => \bsudo access\b
      writable,writeable => \bnot writ(?:e)?able\b
      write => \bno write (?:permission|access)
      sudo => \bUse \`?sudo\`?
      permitted => \bnot permitted to\b
      root => \bcannot be (?:used|run) .{0,30}root\/sudo
      interactive => \b[Ii]nteractive authentication required
      required => \bAuthentication is required to manage
      polkit => \b(?:[Pp]olkit|polkit)\b.{0,40}(?:denied|not authorized)
    `,
    unless: String.raw`
      \bAPI key\b
      \btoken\b
      \bmissing ACTIONS_ID_TOKEN
      \bscope
    `,
  }),
  rule("permission-locales", "permission_denied", "exact", 0.95, {
    ignoreCase: true,
    lines: String.raw`
      keine => Keine Berechtigung
      zugriff => Zugriff (?:wurde )?verweigert
      nicht => Vorgang nicht zulässig
      nicht => Operation (?:ist )?nicht (?:erlaubt|zulässig)
      non => Permission non accordée
      non => Opération non permise
      refusé => Accès refusé
      permiso => Permiso denegado
      operación => Operación no permitida
      acceso => Acceso denegado
      permesso => Permesso negato
      non => Operazione non permessa
      accesso => Accesso negato
      permissão => Permissão negada
      não => Operação não permitida
      acesso => Acesso negado
      toegang => Toegang geweigerd
      brak => Brak dostępu
      odmowa => Odmowa dostępu
      в => Отказано в доступе
      не => Операция не позволена
      у => Відмовлено у доступі
      заборонено => Доступ заборонено
      erişim => Erişim engellendi
      åtkomst => Åtkomst nekas
      adgang => Adgang nægtet
      ikke => Ikke tilgang
      lupa => Lupa evätty
      přístup => Přístup odepřen
      operace => Operace zamítnuta
      hozzáférés => Hozzáférés megtagadva
      权限 => 权限不够
      不允 => 不允许的操作
      拒绝 => 拒绝访问
      拒絕 => 拒絕不符權限
      拒絕 => 拒絕存取
      存取 => 存取被拒
      許可 => 許可がありません
      可さ => 許可されていない操作
      スが => アクセスが拒否されました
      허가 => 허가 거부
      액세 => 액세스가 거부
    `,
  }),
  rule("call-denied", "permission_denied", "typed", 0.9, {
    sources: ["call", "agent"],
    ignoreCase: true,
    lines: String.raw`
      approved,blocked,declined,denied,disallowed,rejected => \b(?:tool|command|action|call|
      ... request|edit|operation|execution|write|use)\b.{0,30}\b(?:was |were |has been |
      ... is )?(?:rejected|denied|declined|disallowed|not approved|blocked) (?:by|because|due|
      ... in)\b
      administrator,hook,operator,policy,sandbox,user => \b(?:user|policy|hook|sandbox|
      ... administrator|operator) (?:\w{1,12} )?(?:rejected|denied|declined|refused|disallowed|
      ... blocked|did not approve)\b
      approval => \b(?:requires?|needs?) (?:\w{1,12} )?approval\b
      need,needs,require,requires => \b(?:requires?|needs?) (?:\w{1,12} )?permission\b
      confirmation => \b(?:requires?|needs?) (?:\w{1,12} )?confirmation\b
      awaiting,without => \b(?:awaiting|without) (?:\w{1,12} )?(?:approval|permission)\b
      confirmation => \b(?:awaiting|without) (?:\w{1,12} )?confirmation\b
      rejected => \btool use was rejected\b
      want => \bdoesn't want to (?:proceed|take)
      inside => \bnot inside a trusted directory\b
      trusted => \bnot trusted\b
      declined,denied,rejected => \b(?:rejected|denied|declined) by (?:the )?(?:user|policy|
      ... hook)
      denied,rejected => \b(?:rejected|denied) by (?:the )?(?:sandbox|administrator)
      declined => \bdeclined by (?:the )?(?:sandbox|administrator)
      declined,denied,rejected => \b(?:rejected|denied|declined) by (?:the )?permission
      denied => \bhas been denied\b
      haven => \bhaven't granted\b
      granted,permitted => \bnot (?:been )?(?:granted|permitted) (?:to|by|in|for)\b
      allowed,approved => \bnot (?:been )?(?:approved|allowed) (?:to|by|in|for)\b
    `,
  }),
  rule("service-permission", "permission_denied", "exact", 0.8, {
    lines: String.raw`
      denied => \bpermission denied (?:for|while)\b
      permission,permissions => \bdoes not have (?:the )?(?:required |necessary |
      ... sufficient )?permissions?\b
      doesn => \bdoesn't have (?:the )?(?:required |necessary |sufficient )?permissions?\b
      access => \b(?:does not|doesn't) have (?:the )?(?:required |necessary |
      ... sufficient )?access\b
      privilege,privileges => \bdoes not have (?:the )?(?:required |necessary |
      ... sufficient )?privileges?\b
      privilege,privileges => \bdoesn't have (?:the )?(?:required |necessary |
      ... sufficient )?privileges?\b
      denied => \bPermission to \S{1,120} denied to\b
      owner,superuser => \bmust be (?:owner|superuser) of\b
      noperm => \bNOPERM\b
      country => \bCountry, region, or territory not supported
      location => \bUser location is not supported
      forbidden => \b403 Forbidden\b
      caller => \bcaller does not have permission\b
      permission => \bpermission .{0,60}(?:is|was) (?:missing|denied|required|not granted)\b
      protected => \bprotected branch hook declined
      gh006 => \bGH006\b
      gh013 => \bGH013\b
      rule => \brepository rule violations
      denied => \bPermission denied by (?:user|policy|hook)
      sandbox => \bsandbox (?:denied|blocked)
      blocked => \bblocked by (?:policy|sandbox|the sandbox|permission)
      allowed => \bnot allowed (?:to|by) (?:the )?(?:policy|sandbox|permissions?|settings|rule)
      outside => \boutside (?:of )?(?:the )?(?:allowed|workspace) (?:director|root|folder|path)
      outside => \boutside (?:of )?(?:the )?working (?:director|root|folder|path)
      outside => \boutside (?:of )?(?:the )?(?:project|sandbox) (?:director|root|folder|path)
      permission => \b[Pp]ermission (?:to use|for this) .{1,60}(?:denied|has been denied)
      permission => \b[Pp]ermission (?:to use|for this) .{1,60}not granted
      haven => \bhaven't granted it yet\b
      user => \bUser (?:denied|rejected|declined)\b
      want => \bdoesn't want to (?:proceed|take this action)
      accessible => \bnot accessible by integration\b
      disabled => \brunning scripts is disabled\b
      pssecurity => \bPSSecurityException\b
      unauthorizedaccess => \bUnauthorizedAccess\b
      está => ejecución de scripts está deshabilitada
      skripts => Ausführung von Skripts auf diesem System deaktiviert
      est => exécution de scripts est désactivée
      因为 => 因为在此系统上禁止运行脚本
      スク => スクリプトの実行が無効
      requires => \bRequires (?:net|read|write|run|env|sys|ffi|import) access to\b
      capable => \bNotCapable\b
      approval,confirmation => \brequires? (?:user |human |manual )?(?:confirmation|approval)\b
      outside => \boutside (?:of )?(?:the )?allowed\b
    `,
    unless: String.raw`
      \bAPI key\b
      \bcredential
      \blogin\b
    `,
  }),
  rule("must-be-root", "permission_denied", "exact", 0.92, {
    ignoreCase: true,
    lines: String.raw`
      superuser,root,administrator => \bmust be (?:run as )?(?:superuser|root|an administrator)\b
      root => \bonly root (?:can|may)\b
      privileges => \b(?:root|superuser|administrator|elevated|admin) privileges\b
      root => \bare you root\?
    `,
  }),
  rule("called-destructive", "unsafe_action", "typed", 0.88, {
    ignoreCase: true,
    lines: String.raw`
      command,operation,action,commands,operations,actions => \b(?:dangerous|destructive|unsafe|harmful) (?:shell )?(?:command|operation|
      ... action)s?\b.{0,60}\b(?:blocked|refused|denied|rejected|(?:not|never) (?:allowed|permitted))\b
      command,operation,action,commands,operations,actions => \b(?:blocked|refused|denied|rejected|refusing to (?:run|execute))\b.{0,
      ... 40}\b(?:dangerous|destructive|unsafe|harmful) (?:shell )?(?:command|operation|action)\b
    `,
  }),
];
