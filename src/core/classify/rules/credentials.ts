/**
 * Missing, wrong and expired credentials, of tools and of model services. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const CREDENTIALS: readonly Rule[] = [
  {
    id: "expired",
    kind: "auth_expired",
    level: "verdict",
    confidence: 0.94,
    words: ["aadsts", "access", "authenticate", "authentication", "claim", "credential", "credentials", "expired", "expiredtoken", "expiredtokenexception", "grant", "invalidated", "jwt", "log", "longer", "refresh", "revoked", "session", "sign", "stale", "token", "tokenexpired", "tokenexpirederror", "令牌", "期限"],
    pattern:
      /\b(?:token|session|credentials?|login|key|authentication|authorization|oauth|sso|cookie|jwt|api[ _-]key|ticket|sign-?in|identity)s?(?:['’]?s)? .{0,60}\b(?:has |have |had |is |are |was |already |been )*(?:expired|revoked|invalidated|no longer valid|stale)\b|\b(?:expired|revoked|stale) (?:\w{1,20} )?(?:token|session|credentials?|login|key|jwt|cookie|access)\b|\bExpiredToken(?:Exception)?\b|\bTokenExpired(?:Error)?\b|\bsession (?:has )?(?:ended|timed out)\b.{0,40}(?:log|sign) ?in|\b(?:log|sign) ?in again\b|\b[Rr]e-?authenticat(?:e|ion)\b|\bcredentials?\b.{0,20}: expired\b|\binvalid_grant\b|\bAADSTS(?:700(?:43|82|84)|50173|50089)\b|\b(?:refresh|access) token .{0,60}(?:expired|invalid|revoked|could not be refreshed|already used)|\b(?:failed to|could not|unable to|cannot) refresh (?:the |your |access |oauth )?(?:token|session|credentials)|\btoken refresh failed\b|\bjwt expired\b|\bToken (?:ist |est |è )?(?:abgelaufen|expiré|scaduto|caducado)|\bexp(?:iration)? claim\b.{0,40}(?:failed|past)|令牌已过期|トークン.{0,10}期限/i,
    except:
      /\bcertificate|\bCERT_|\blicense\b|\bcache\b|\block\b|\bpassword (?:has )?expired .{0,20}policy|\bdomain\b/i,
    example: "Error: your session has expired, please log in again",
    nearMiss: "the certificate has expired",
  },
  {
    id: "api-key-wrong",
    kind: "auth_required",
    level: "verdict",
    confidence: 0.96,
    words: ["access", "api", "apikey", "auth", "authentication", "authorisation", "authorization", "bearer", "credentials", "didn", "key", "option", "personal", "secret", "subscription", "token"],
    pattern:
      /\b(?:[Ii]nvalid|[Ii]ncorrect|[Ww]rong|[Mm]issing|[Bb]ad|[Uu]nknown|[Mm]alformed|[Nn]o|[Uu]nauthori[sz]ed|[Dd]isabled) (?:\w{1,20} )?(?:API|api|Api|x-api|access|secret|auth|authentication|bearer|authori[sz]ation|personal access|subscription)[ _-]?(?:key|token|header|credentials?)s?\b|\b(?:api|x-api|access)[ _-]?key (?:\S{1,60} )?(?:is |was |has been )?(?:not (?:valid|found|set|provided|configured|specified|authorized|recognized)|invalid|missing|incorrect|required|disabled|malformed|suspended|deactivated|unauthorized)\b|\b(?:provide|set|specify|supply|enter|add|configure|check|pass|include) (?:an? |your |the |a valid )?(?:valid )?(?:\w{1,20} )?(?:API|api|access|auth)[ _]?(?:key|token)\b|\b(?:[A-Z]{2,20}_){1,5}(?:API_KEY|TOKEN|KEY|AUTH_TOKEN)\b.{0,80}(?:not set|missing|required|must be set|is unset|not found|not defined|not provided|is empty|environment variable)|\b(?:[Mm]issing|[Pp]lease set|[Nn]o|[Ss]et|specify|[Rr]equires?) (?:the |a |environment variable:? |env(?:ironment)? var(?:iable)? )?`?(?:[A-Z]{2,20}_){1,5}(?:API_KEY|TOKEN|AUTH_TOKEN|KEY)\b|\b[Nn]o API key (?:found|provided|set|configured|for)|\bAPI key not valid|\bdidn't provide an API key|\b[Aa]pi_key client option must be set|\bapiKey (?:is |option )?(?:missing|required)|\bapi_key\b.{0,40}(?:must be set|required|missing|None)|\binvalid (?:or missing )?(?:bearer )?token\b|\bBad credentials\b|\btoken (?:is )?(?:invalid|missing|malformed|not valid|not found|required)\b|\bCould not resolve authentication method/i,
    except:
      /\bexpired\b|\bUnexpected token\b|\bunexpected token\b|\bSyntaxError\b|\binvalid token (?:in|at|near|'|`|")|\bCSRF\b|\bdecod|\bKeyError\b/i,
    example: "Error: Incorrect API key provided: ca***rt",
    nearMiss: "SyntaxError: Invalid or unexpected token",
  },
  {
    id: "log-in-first",
    kind: "auth_required",
    level: "verdict",
    confidence: 0.94,
    words: ["active", "anonymous", "auth", "authenticate", "authenticated", "authentication", "authorisation", "authorization", "automatically", "couldn", "credential", "credentials", "determine", "eneedauth", "find", "get", "load", "locate", "log", "logged", "login", "method", "obtain", "password", "provider", "reauthenticate", "sign", "signed", "signin", "username", "valid"],
    pattern:
      /\b(?:not|n't|no longer) (?:currently )?(?:logged|signed) in(?:to)?\b|\b(?:must|need to|have to|please|first|required to|should) (?:first )?(?:be )?(?:log(?:ged)?|sign(?:ed)?)[ -]?in\b|\b(?:please |you (?:must|need to|should) )?run:? [`'"]?[\w./-]{0,40} ?(?:auth |account |sso )?(?:login|\/login|signin)\b|\b(?:az|gh|gcloud auth|npm|docker|aws sso|heroku|vercel|firebase|netlify|flyctl|hf auth|huggingface-cli|wrangler|codex|supabase|railway|terraform|doctl|oc|snyk|codex|claude|opencode auth|gemini|cursor-agent|copilot|amp|goose) login\b|\bmay require 'docker login'|\bnot authenticated\b|\b(?:authentication|authori[sz]ation|login|credentials?) (?:is |are |was )?(?:required|needed|missing|not (?:found|provided|configured|set))\b|\b(?:no|missing|without|lack of|invalid|bad|incorrect|wrong) (?:valid |any |your |aws |git |registry |authentication |login |user |stored |default )*credentials?\b|\b(?:[Uu]nable to locate|[Cc]ould not (?:find|load|get)|[Cc]ouldn't find|[Nn]o valid|[Ff]ailed to (?:find|load|get|obtain)|[Cc]ould not (?:automatically )?determine) (?:\w{1,20} )?(?:credentials?|authentication)|\bUnable to locate credentials|\bcould not read (?:Username|Password)\b|\bENEEDAUTH\b|\b[Aa]nonymous (?:access|user|caller) (?:is )?(?:not allowed|denied|does not have)|\bInvalid auth method\b|\bPlease set an Auth method\b|\b[Aa]uth(?:entication)? (?:method|provider) (?:is )?(?:not (?:set|selected|configured)|missing)|\bYou (?:must|need to) (?:first )?authenticate\b|\bPlease (?:re-?)?authenticate\b|\bYou do not currently have an active account/i,
    except: /\bexpired\b|\blogin shell\b|\b[Ii]nteractive authentication|\brequired to manage\b/i,
    example: "Not logged in. Please run cartctl login",
    nearMiss: "she logged into the ledger",
  },
  {
    id: "authentication-failed",
    kind: "auth_required",
    level: "typed",
    confidence: 0.92,
    words: ["aadsts", "asked", "authenticate", "authentication", "authenticationerror", "authfailure", "authorization", "basic", "credentials", "denied", "e401", "email", "eotp", "key", "logged", "login", "noauth", "password", "proxy", "pull", "queried", "repository", "requested", "rights", "sasl", "security", "signature", "supplied", "supported", "token", "unauthenticated", "unauthorized", "unrecognized", "user", "username", "verification", "wrongpass"],
    pattern:
      /\b[Aa]uthentication (?:failed|failure|error|unsuccessful|was unsuccessful|denied|rejected)\b|\bfailed to authenticate\b|\bAuthenticationError\b|\bunauthorized\b(?! access to)|\bUnauthorized\b|\bUNAUTHENTICATED\b|\bPermission denied \((?:publickey|password|keyboard|gssapi)|\bPermission denied, please try again|\bpassword authentication failed for\b|\bAccess denied for user '|\bpull access denied\b|\brequested access to the resource is denied|\bNOAUTH\b|\bWRONGPASS\b|\bcode E401\b|\bEOTP\b|\bHost key verification failed|\bNo supported authentication methods|\bSupport for password authentication was removed|\bremote: Invalid username or (?:password|token)|\bHTTP Basic: Access denied|\bcorrect access rights\b|\b[Ii]nvalid (?:username|user name|login|email) (?:or|and|\/) password|\b[Ll]ogin (?:failed|incorrect)\b|\bbad (?:username|login)\b|\bInvalid (?:password|credentials|login)\b|\bInvalidClientTokenId|\bSignatureDoesNotMatch|\bUnrecognizedClientException|\bsecurity token included in the request is invalid|\bAuthFailure\b|\bAADSTS\d{4,7}\b|\b(?:You must be logged in to the server|the server has asked for the client to provide credentials)|\bAuthorization (?:header|failed)\b|\bcould not be queried due to a lack of valid authentication|\bProxy Authentication Required|\bSASL authentication failed|\bLOGIN_FAILED\b|\bremote: Repository not found|^ERROR: Repository not found|\bYour API key does not have permission|\bFailed to authenticate\b|\b[Mm]issing (?:sudo|become) password\b|\bInput required and not supplied: \w{0,20}(?:token|TOKEN|key|password)/,
    except:
      /\bexpired\b|\b5\d\d\b.{0,30}(?:Internal Server|Service Unavailable|Bad Gateway)|\bauthorize\(\)/,
    evenInWarnings: true,
    example: 'psql: error: FATAL:  password authentication failed for user "cart"',
    nearMiss: "the authentication of paintings",
  },
];
