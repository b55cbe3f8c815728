/** Missing, wrong and expired credentials for tools and model services. */
import { rule, type Rule } from "../classify/rule.ts";

export const CREDENTIALS: readonly Rule[] = [
  rule("expired", "auth_expired", "verdict", 0.94, {
    ignoreCase: true,
    lines: String.raw`
      expired,invalidated,longer,revoked,stale => \b(?:token|session|credentials?|login|key|
      ... authentication|authorization|oauth|sso|cookie|jwt|api[ _-]key|ticket|sign-?in|
      ... identity)s?(?:['’]?s)? .{0,60}\b(?:has |have |had |is |are |was |already |
      ... been ){0,4}(?:expired|revoked|invalidated|no longer valid|stale)\b
      expired,revoked,stale => \b(?:expired|revoked|stale) (?:\w{1,20} )?(?:token|session)\b
      expired,revoked,stale => \b(?:expired|revoked|stale) (?:\w{1,20} )?(?:credentials?|
      ... login)\b
      expired,revoked => \b(?:expired|revoked) (?:\w{1,20} )?(?:key|jwt|cookie|access)\b
      stale => \bstale (?:\w{1,20} )?(?:key|jwt|cookie|access)\b
      expiredtoken,expiredtokenexception => \bExpiredToken(?:Exception)?\b
      tokenexpired,tokenexpirederror => \bTokenExpired(?:Error)?\b
      session => \bsession (?:has )?(?:ended|timed out)\b.{0,40}(?:log|sign) ?in
      credential,credentials => \bcredentials?\b.{0,20}: expired\b
      grant => \binvalid_grant\b
      aadsts => \bAADSTS(?:700(?:43|82|84)|50173|50089)\b
      access,refresh => \b(?:refresh|access) token .{0,60}(?:expired|invalid|revoked)
      access,refresh => \b(?:refresh|access) token .{0,60}(?:could not be refreshed|
      ... already used)
      refresh => \b(?:failed to|could not) refresh (?:the |your |access |oauth )?(?:token|
      ... session)
      refresh => \b(?:failed to|could not) refresh (?:the |your |access |oauth )?credentials
      refresh => \b(?:unable to|cannot) refresh (?:the |your |access |oauth )?(?:token|session)
      refresh => \b(?:unable to|cannot) refresh (?:the |your |access |oauth )?credentials
      refresh => \btoken refresh failed\b
      jwt => \bjwt expired\b
      token => \bToken (?:ist |est |è )?(?:abgelaufen|expiré|scaduto|caducado)
      claim => \bexp(?:iration)? claim\b.{0,40}(?:failed|past)
      令牌 => 令牌已过期
      期限 => トークン.{0,10}期限
      log,sign => \b(?:log|sign) in again\b
      login,signin => \b(?:login|signin) again\b
      authenticate,authentication => \b[Rr]e-authenticat(?:e|ion)\b
      reauthenticate,reauthentication => \b[Rr]eauthenticat(?:e|ion)\b
    `,
    unless: String.raw`
      \bcertificate
      \bCERT_
      \blicense\b
      \bcache\b
      \block\b
      \bpassword (?:has )?expired .{0,20}policy
      \bdomain\b
    `,
  }),
  rule("api-key-wrong", "auth_required", "verdict", 0.96, {
    ignoreCase: true,
    lines: String.raw`
      auth,key,token => \b(?:[A-Z]{2,20}_){1,5}(?:API_KEY|TOKEN|KEY|AUTH_TOKEN)\b.{0,
      ... 80}(?:not set|missing|required|must be set|is unset|not found|not defined|
      ... not provided|is empty|environment variable)
      auth,key,token => \b(?:[Mm]issing|[Pp]lease set|[Nn]o|[Ss]et|specify|
      ... [Rr]equires?) (?:the |a |environment variable:? |
      ... env(?:ironment)? var(?:iable)? )?\`?(?:[A-Z]{2,20}_){1,5}(?:API_KEY|TOKEN|AUTH_TOKEN|
      ... KEY)\b
      key => \b[Nn]o API key (?:found|provided|set|configured|for)
      key => \bAPI key not valid
      didn => \bdidn't provide an API key
      option => \b[Aa]pi_key client option must be set
      apikey => \bapiKey (?:is |option )?(?:missing|required)
      key => \bapi_key\b.{0,40}(?:must be set|required|missing|None)
      token => \binvalid (?:or missing )?(?:bearer )?token\b
      credentials => \bBad credentials\b
      token => \btoken (?:is )?(?:invalid|missing|malformed|not valid|not found|required)\b
      authentication => \bCould not resolve authentication method
      bad,incorrect,invalid,missing,wrong => \b(?:invalid|incorrect|wrong|missing|bad) (?:\w{1,
      ... 20} )?(?:api|x-api|access|secret|auth|authentication|bearer|authori[sz]ation|
      ... personal access|subscription)[ _-](?:key|token|header|credentials?)s?\b
      access,api,auth,authentication,authorisation,authorization,bearer,personal,secret,
      ... subscription => \b(?:unknown|malformed|no|unauthori[sz]ed|disabled) (?:\w{1,
      ... 20} )?(?:api|x-api|access|secret|auth|authentication|bearer|authori[sz]ation|
      ... personal access|subscription)[ _-](?:key|token|header|credentials?)s?\b
      accesskey,accesskeys,apikey,apikeys,authtoken,authtokens,secretkey,
      ... secretkeys => \b(?:invalid|incorrect|wrong|missing|bad|unknown|malformed|no) (?:\w{1,
      ... 20} )?(?:apikey|accesskey|secretkey|authtoken)s?\b
      key => \b(?:api|x-api|access)[ _-]key (?:\S{1,60} )?(?:is |was |
      ... has been )?(?:not (?:valid|found|set|provided|configured|specified|authorized|
      ... recognized)|invalid|missing|incorrect|required|disabled|malformed|suspended|
      ... deactivated|unauthorized)\b
      accesskey,apikey => \b(?:apikey|accesskey) (?:\S{1,60} )?(?:is |was |
      ... has been )?(?:not (?:valid|found|set|provided|configured|specified|authorized|
      ... recognized)|invalid|missing|incorrect|required|disabled|malformed|suspended|
      ... deactivated|unauthorized)\b
      key,token => \b(?:provide|set|specify|supply|enter|add|configure|check|pass|
      ... include) (?:an? |your |the |a valid )?(?:valid )?(?:\w{1,20} )?(?:api|access|
      ... auth)[ _](?:key|token)\b
      accesskey,apikey => \b(?:provide|set|specify|supply|enter|add|configure|check|pass|
      ... include) (?:an? |your |the |a valid )?(?:valid )?(?:\w{1,20} )?(?:apikey|accesskey)\b
    `,
    unless: String.raw`
      \bexpired\b
      \bUnexpected token\b
      \bunexpected token\b
      \bSyntaxError\b
      \binvalid token (?:in|at|near|'|\`|")
      \bCSRF\b
      \bdecod
      \bKeyError\b
    `,
  }),
  rule("log-in-first", "auth_required", "verdict", 0.94, {
    ignoreCase: true,
    lines: String.raw`
      logged,signed => \b(?:not|n't|no longer) (?:currently )?(?:logged|signed) in(?:to)?\b
      login => \b(?:az|gh|gh auth|gcloud auth|npm|docker|aws sso|heroku|vercel) login\b
      login => \b(?:firebase|netlify|flyctl|hf auth|huggingface-cli|wrangler|codex) login\b
      login => \b(?:supabase|railway|terraform|doctl|oc|snyk|codex) login\b
      login => \b(?:claude|opencode auth|gemini|cursor-agent|copilot|amp|goose) login\b
      login => \bmay require 'docker login'
      authenticated => \bnot authenticated\b
      authentication,authorisation,authorization,credential,credentials,
      ... login => \b(?:authentication|authori[sz]ation|login|credentials?) (?:is |are |
      ... was )?(?:required|needed|missing|not (?:found|provided|configured|set))\b
      credential,credentials => \b(?:no|missing|without|lack of|invalid|bad|incorrect|
      ... wrong) (?:valid |any |your |aws |git |registry |authentication |login |user |stored |
      ... default ){0,4}credentials?\b
      automatically,couldn,determine,find,get,load,locate,obtain,
      ... valid => \b(?:[Uu]nable to locate|[Cc]ould not (?:find|load|get)|[Cc]ouldn't find|
      ... [Nn]o valid|[Ff]ailed to (?:find|load|get|obtain)|
      ... [Cc]ould not (?:automatically )?determine) (?:\w{1,20} )?(?:credentials?|
      ... authentication)
      locate => \bUnable to locate credentials
      default => \bdefault credentials were not found\b
      password,username => \bcould not read (?:Username|Password)\b
      eneedauth => \bENEEDAUTH\b
      anonymous => \b[Aa]nonymous (?:access|user|caller) (?:is )?(?:not allowed|denied)
      anonymous => \b[Aa]nonymous (?:access|user|caller) (?:is )?does not have
      auth => \bInvalid auth method\b
      auth => \bPlease set an Auth method\b
      method,provider => \b[Aa]uth(?:entication)? (?:method|provider) (?:is )?not (?:set|
      ... selected)
      method,provider => \b[Aa]uth(?:entication)? (?:method|provider) (?:is )?not configured
      method,provider => \b[Aa]uth(?:entication)? (?:method|provider) (?:is )?missing
      authenticate => \bYou (?:must|need to) (?:first )?authenticate\b
      authenticate,reauthenticate => \bPlease (?:re-?)?authenticate\b
      active => \bYou do not currently have an active account
      log,logged,sign,signed => \b(?:must|need to|have to|please|first|required to|
      ... should) (?:first )?(?:be )?(?:log|logged|sign|signed)[ -]in\b
      login,signin => \b(?:must|need to|have to|please|first|required to|
      ... should) (?:first )?(?:login|signin)\b
      login,signin => \brun:? [\`'\"]?(?:[\w.-]{1,40} )?(?:auth |account |sso )?(?:login|
      ... signin)\b
      login => \brun:? [\`'\"]?/login\b
    `,
    unless: String.raw`
      \bexpired\b
      \blogin shell\b
      \b[Ii]nteractive authentication
      \brequired to manage\b
    `,
  }),
  rule("authentication-failed", "auth_required", "typed", 0.92, {
    lines: String.raw`
      authentication => \b[Aa]uthentication (?:failed|failure|error|unsuccessful)\b
      authentication => \b[Aa]uthentication (?:was unsuccessful|denied|rejected)\b
      authenticate => \bfailed to authenticate\b
      authenticationerror => \bAuthenticationError\b
      unauthorized => \bunauthorized\b(?! access to)
      unauthorized => \bUnauthorized\b
      unauthenticated => \bUNAUTHENTICATED\b
      denied => \bPermission denied \((?:publickey|password|keyboard|gssapi)
      denied => \bPermission denied, please try again
      password => \bpassword authentication failed for\b
      user => \bAccess denied for user '
      pull => \bpull access denied\b
      requested => \brequested access to the resource is denied
      noauth => \bNOAUTH\b
      wrongpass => \bWRONGPASS\b
      e401 => \bcode E401\b
      eotp => \bEOTP\b
      verification => \bHost key verification failed
      supported => \bNo supported authentication methods
      password => \bSupport for password authentication was removed
      username => \bremote: Invalid username or (?:password|token)
      basic => \bHTTP Basic: Access denied
      rights => \bcorrect access rights\b
      user,username => \b[Ii]nvalid (?:username|user name) (?:or|and|\/) password
      email,login => \b[Ii]nvalid (?:login|email) (?:or|and|\/) password
      login => \b[Ll]ogin (?:failed|incorrect)\b
      login,username => \bbad (?:username|login)\b
      credentials,login,password => \bInvalid (?:password|credentials|login)\b
      token => \bInvalidClientTokenId
      signature => \bSignatureDoesNotMatch
      unrecognized => \bUnrecognizedClientException
      security => \bsecurity token included in the request is invalid
      authfailure => \bAuthFailure\b
      aadsts => \bAADSTS\d{4,7}\b
      logged => \bYou must be logged in to the server
      asked => \bthe server has asked for the client to provide credentials
      authorization => \bAuthorization (?:header|failed)\b
      queried => \bcould not be queried due to a lack of valid authentication
      proxy => \bProxy Authentication Required
      sasl => \bSASL authentication failed
      login => \bLOGIN_FAILED\b
      repository => \bremote: Repository not found
      repository => ^ERROR: Repository not found
      key => \bYour API key does not have permission
      authenticate => \bFailed to authenticate\b
      password => \b[Mm]issing (?:sudo|become) password\b
      supplied => \bInput required and not supplied: \w{0,20}(?:token|TOKEN|key|password)
    `,
    unless: String.raw`
      \bexpired\b
      \b5\d\d\b.{0,30}(?:Internal Server|Service Unavailable|Bad Gateway)
      \bauthorize\(\)
    `,
  }),
  rule("index-needs-credentials", "auth_required", "verdict", 0.9, {
    evenInWarnings: true,
    lines: String.raw`
      queried => \bcould not be queried due to a lack of valid authentication
      credentials => \bno credentials were provided\b
    `,
  }),
  rule("database-login", "auth_required", "typed", 0.95, {
    lines: String.raw`
      sendauth => \bfe_sendauth: no password supplied
      authentication => \b[Pp]assword authentication failed for user\b
      noauth => \bNOAUTH Authentication required
      wrongpass => \bWRONGPASS\b
      access => \bAccess denied for user '[^']{0,80}'@
    `,
  }),
  rule("service-login", "auth_required", "typed", 0.93, {
    lines: String.raw`
      invalid,authed,missing => ["']error["']\s?:\s?["'](?:invalid_auth|not_authed|missing_auth)["']
      auth,authentication => \bNo auth(?:entication)? (?:type|method) is (?:selected|configured|set)\b
    `,
  }),
  rule("service-auth-refresh", "auth_expired", "typed", 0.86, {
    sources: ["model", "agent", "call"],
    ignoreCase: true,
    lines: String.raw`
      session,token => \b(?:token|session)\b.{0,40}\bcould not be (?:refreshed|renewed)
      credential,credentials => \bcredentials?\b.{0,40}\bcould not be (?:refreshed|renewed)
      login => \blogin\b.{0,40}\bcould not be (?:refreshed|renewed)
      authentication => \bauthentication\b.{0,40}\bcould not be (?:refreshed|renewed)
      refresh,refreshing,renew,renewing => \b(?:refresh|renew)(?:ing)? (?:\S{1,16} ){0,
      ... 3}(?:token|session|credentials?|login)\b.{0,40}\b(?:fail|error|invalid|rejected)
      refresh,renew => \b(?:failed|unable|could not) (?:to )?(?:refresh|renew) (?:\S{1,16} ){0,
      ... 3}(?:token|session|credentials?|login|auth\w{0,12})
      expired => \b(?:device |auth(?:orization)? |login |verification )code (?:has )?expired\b
    `,
  }),
];
