/**
 * Rights that are missing on this machine or service. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const PERMISSIONS: readonly Rule[] = [
  {
    id: "permission-denied",
    kind: "permission_denied",
    level: "exact",
    confidence: 0.94,
    words: ["denied", "eacces", "eperm", "erofs", "permissionerror", "permitted", "system"],
    pattern:
      /(?:^|[^\w/.-])[Pp]ermission denied\b|\bEACCES\b|\bEPERM\b|\bPermissionError\b|\b[Oo]peration not permitted\b|\b[Rr]ead-only file ?system\b|\bEROFS\b|\bPermission denied\b/,
    except:
      /\(publickey|\bPermission denied \((?:publickey|password|keyboard)|permission denied maps|\bauthenticat|Permission denied, please try again/,
    example: "rm: cannot remove 'carts.db': Permission denied",
    nearMiss: "git@example.org: Permission denied (publickey).",
  },
  {
    id: "access-denied",
    kind: "permission_denied",
    level: "exact",
    confidence: 0.9,
    words: ["access", "accessdenied", "accessdeniederror", "accessdeniedexception", "authorizationfailed", "authorized", "forbidden", "permissiondenied", "unauthorizedaccess", "unauthorizedaccessexception", "winerror"],
    pattern:
      /\b[Aa]ccess (?:is |was |to the path '.{1,200}' is )?denied\b|\bUnauthorizedAccess(?:Exception)?\b|\bAccessDenied(?:Exception|Error)?\b|\bError from server \(Forbidden\)|\bPermissionDenied\b|\[WinError 5\]|\bis not authorized to perform:?\b|\bAuthorizationFailed\b|\bAccess forbidden\b|\bNot authorized to access\b/,
    except:
      /\bAccess denied for user\b|\bpull access denied\b|\busing password\b|\baccess denied .{0,40}(?:login|credentials|api key)/i,
    example: "Access to the path 'C:\\carts.db' is denied.",
    nearMiss: "Access denied for user 'cart'@'localhost' (using password: YES)",
  },
  {
    id: "needs-root",
    kind: "permission_denied",
    level: "exact",
    confidence: 0.92,
    words: ["access", "administrator", "be", "insufficient", "interactive", "need", "perform", "permission", "permissions", "permitted", "polkit", "privilege", "privileges", "require", "required", "requires", "rights", "root", "run", "sudo", "sudoers", "superuser", "writable", "write", "writeable"],
    pattern:
      /\b(?:must|need(?:s)? to|has to|have to|should|can only) be (?:run (?:as|with|by)|executed (?:as|with)|started as|root|the superuser)\b.{0,40}(?:root|sudo|superuser|admin)?|\bare you root\?|\brequires? (?:superuser|root|administrator|elevated|admin|sudo)(?: privileges?| rights| access| permissions?)?\b|\byou need (?:superuser|root|administrator|admin)|\bneed to be root\b|\bas (?:root|superuser|administrator)\b.{0,30}(?:required|only|privileges)|\brun (?:this |the )?(?:command |program |script )?(?:again )?(?:as|with) (?:root|sudo|administrator|an? administrator|superuser)|\bis not in the sudoers file|\bsudo: (?:a (?:password|terminal) is required|no tty present|sorry, you must have a tty)|\brequested operation requires (?:superuser|elevation)|\boperation requires elevation|\bonly root can\b|\byou (?:do not|don't) have (?:the )?(?:required |sufficient |enough |write |necessary )?(?:permissions?|privileges?|rights|access)\b|\binsufficient (?:permissions?|privileges?|rights|access)\b|\bcannot perform this operation (?:as root|unless you are root)|\bsuperuser privileges\b|\bNeed administrator\b|\bsudo access\b|\bnot writ(?:e)?able\b|\bno write (?:permission|access)|\bUse `?sudo`?|\bnot permitted to\b|\bcannot be (?:used|run) .{0,30}root\/sudo|\b[Ii]nteractive authentication required|\bAuthentication is required to manage|\b(?:[Pp]olkit|polkit)\b.{0,40}(?:denied|not authorized)/i,
    except: /\bAPI key\b|\btoken\b|\bmissing ACTIONS_ID_TOKEN|\bscope/i,
    example: "error: you cannot perform this operation unless you are root.",
    nearMiss: "the root of the matter",
  },
  {
    id: "permission-locales",
    kind: "permission_denied",
    level: "exact",
    confidence: 0.95,
    words: ["acceso", "accesso", "acesso", "adgang", "brak", "erişim", "hozzáférés", "ikke", "keine", "lupa", "nicht", "non", "não", "odmowa", "operace", "operación", "permesso", "permiso", "permissão", "přístup", "refusé", "toegang", "zugriff", "åtkomst", "в", "заборонено", "не", "у", "スが", "不允", "可さ", "存取", "拒絕", "拒绝", "权限", "許可", "액세", "허가"],
    pattern:
      /Keine Berechtigung|Zugriff (?:wurde )?verweigert|Vorgang nicht zulässig|Operation (?:ist )?nicht (?:erlaubt|zulässig)|Permission non accordée|Opération non permise|Accès refusé|Permiso denegado|Operación no permitida|Acceso denegado|Permesso negato|Operazione non permessa|Accesso negato|Permissão negada|Operação não permitida|Acesso negado|Toegang geweigerd|Brak dostępu|Odmowa dostępu|Отказано в доступе|Операция не позволена|Відмовлено у доступі|Доступ заборонено|Erişim engellendi|Åtkomst nekas|Adgang nægtet|Ikke tilgang|Lupa evätty|Přístup odepřen|Operace zamítnuta|Hozzáférés megtagadva|权限不够|不允许的操作|拒绝访问|拒絕不符權限|拒絕存取|存取被拒|許可がありません|許可されていない操作|アクセスが拒否されました|허가 거부|액세스가 거부/i,
    example: "rm: Entfernen von 'carts.db' nicht möglich: Keine Berechtigung",
    nearMiss: "die Operation war ein Erfolg",
  },
  {
    id: "call-denied",
    kind: "permission_denied",
    level: "typed",
    confidence: 0.9,
    settings: ["call", "agent"],
    words: ["administrator", "allowed", "approved", "awaiting", "blocked", "declined", "denied", "disallowed", "granted", "haven", "hook", "inside", "need", "needs", "operator", "permitted", "policy", "rejected", "require", "requires", "sandbox", "trusted", "user", "want", "without"],
    pattern:
      /\b(?:tool|command|action|call|request|edit|operation|execution|write|use)\b.{0,30}\b(?:was |were |has been |is )?(?:rejected|denied|declined|disallowed|not approved|blocked) (?:by|because|due|in)\b|\b(?:user|policy|hook|sandbox|administrator|operator) (?:\w{1,12} )?(?:rejected|denied|declined|refused|disallowed|blocked|did not approve)\b|\b(?:requires?|needs?|awaiting|without) (?:\w{1,12} )?(?:approval|permission|confirmation)\b|\btool use was rejected\b|\bdoesn't want to (?:proceed|take)|\bnot inside a trusted directory\b|\bnot trusted\b|\b(?:rejected|denied|declined) by (?:the )?(?:user|policy|hook|sandbox|administrator|permission)|\bhas been denied\b|\bhaven't granted\b|\bnot (?:been )?(?:granted|permitted|approved|allowed) (?:to|by|in|for)\b/i,
    example: "Command rejected by user",
    nearMiss: "the command was accepted by the user",
  },
  {
    id: "service-permission",
    kind: "permission_denied",
    level: "exact",
    confidence: 0.8,
    words: ["access", "accessible", "allowed", "blocked", "caller", "country", "denied", "disabled", "est", "está", "forbidden", "gh006", "gh013", "haven", "location", "noperm", "outside", "owner", "permission", "permissions", "privilege", "privileges", "protected", "pssecurity", "rule", "sandbox", "skripts", "superuser", "unauthorizedaccess", "user", "want", "スク", "因为"],
    pattern:
      /\bpermission denied (?:for|while)\b|\b(?:does not|doesn't) have (?:the )?(?:required |necessary |sufficient )?(?:permissions?|access|privileges?)\b|\bPermission to \S{1,120} denied to\b|\bmust be (?:owner|superuser) of\b|\bNOPERM\b|\bCountry, region, or territory not supported|\bUser location is not supported|\b403 Forbidden\b|\bcaller does not have permission\b|\bpermission .{0,60}(?:is|was) (?:missing|denied|required|not granted)\b|\bprotected branch hook declined|\bGH006\b|\bGH013\b|\brepository rule violations|\bPermission denied by (?:user|policy|hook)|\bsandbox (?:denied|blocked)|\bblocked by (?:policy|sandbox|the sandbox|permission)|\bnot allowed (?:to|by) (?:the )?(?:policy|sandbox|permissions?|settings|rule)|\boutside (?:of )?(?:the )?(?:allowed|workspace|working|project|sandbox) (?:director|root|folder|path)|\b[Pp]ermission (?:to use|for this) .{1,60}(?:denied|has been denied|not granted)|\bhaven't granted it yet\b|\bUser (?:denied|rejected|declined)\b|\bdoesn't want to (?:proceed|take this action)|\bnot accessible by integration\b|\brunning scripts is disabled\b|\bPSSecurityException\b|\bUnauthorizedAccess\b|ejecución de scripts está deshabilitada|Ausführung von Skripts auf diesem System deaktiviert|exécution de scripts est désactivée|因为在此系统上禁止运行脚本|スクリプトの実行が無効/,
    except: /\bAPI key\b|\bcredential|\blogin\b/i,
    example: "ERROR:  permission denied for table carts",
    nearMiss: "a region of the country",
  },
];
