/**
 * Common words that commands use in their errors, for tools that no other table covers. Hints only: a rule that knows
 * the exact wording takes precedence.
 */
import { rule, type Rule } from "../classify/rule.ts";

export const COMMAND_HINTS: readonly Rule[] = [
  rule("hint-arguments", "invalid_arguments", "hint", 0.62, {
    sources: ["shell", "call"],
    ignoreCase: true,
    lines: String.raw`
      unknown => \bunknown (?!error|exception|reason|host|failure|symbol|type|module|
      ... tool)['"\`(<\w-]
      unrecognised,unrecognized => \bunrecogni[sz]ed (?!error|exception|reason|host|failure|
      ... symbol|type|module|tool)['"\`(<\w-]
      unsupported => \bunsupported (?!error|exception|reason|host|failure|symbol|type|module|
      ... tool)['"\`(<\w-]
      illegal => \billegal (?!error|exception|reason|host|failure|symbol|type|module|
      ... tool)['"\`(<\w-]
      ambiguous => \bambiguous (?!error|exception|reason|host|failure|symbol|type|module|
      ... tool)['"\`(<\w-]
      malformed => \bmalformed (?!error|exception|reason|host|failure|symbol|type|module|
      ... tool)['"\`(<\w-]
      invalid => \binvalid (?!api|token|cred|json|syntax|pointer|memory|instruction|
      ... argument exception)['"\`(<\w-]
      pass,provide,specify,supply => \bmust (?:specify|provide|supply|pass)\b
      give,include => \bmust (?:give|include)\b
      must => \bmust have (?:a|an|at|exactly)\b
      must => \bmust be (?:a|an|one|either|set|used|given|specified|supplied|in)\b
      must => \bmust be (?:of|at|greater|less|positive|non|valid|unique|between|followed)\b
      supported => \b(?:is|are) not supported\b
      supported => \bnot supported (?:by|for|on|in|or)\b
      mutually => \bmutually exclusive\b
      requires => \brequires (?:a|an|the|at least|one|exactly|that|you|--|\`|'|")
      cannot => \bcannot (?:be used|be combined|specify|use|mix|parse|convert|handle|set)\b
      parse,understand => \bcould(?:n't| not) (?:parse|understand)\b
      interpret,recognise,recognize => \bcould(?:n't| not) (?:interpret|recogni[sz]e)\b
      defined,valid => \b(?:is|was|are) not (?:a )?(?:defined|valid)\b
      known,recognised,recognized => \b(?:is|was|are) not (?:a )?(?:known|recogni[sz]ed)\b
      accepted,allowed,option => \b(?:is|was|are) not (?:a )?(?:allowed|accepted|an option)\b
      argument,arguments,destination,destinations,expression,expressions,input,inputs,label,
      ... labels,name,names,operand,operands,parameter,parameters,pattern,patterns,required,
      ... requireds,source,sources,subject,subjects,target,targets,value,values => \b(?:missing|
      ... no) (?:value|argument|name|parameter|input|operand|target|subject|destination|source|
      ... pattern|expression|label|required)s?\b
      context,contexts,environment,environments,option,options,profile,profiles,scheme,schemes,
      ... target,targets => \bno (?:bin|example|test|bench|such|matching) (?:target|profile|
      ... scheme|environment|context|option)s?\b
      expected => \bexpected (?:a|an|one|at least|exactly|\`|'|"|\d)
      wrong => \bwrong (?:type|format|number|value)\b
      too => \btoo (?:many|few|short|long)\b
      bad => \bbad (?:option|argument|value|number|format|regex|pattern)
      multiple => \bmultiple (?:apps|matches|targets|candidates|remotes)\b
      ambiguous => \bambiguous\b
      could => \bcould be:
      argument,arguments => \barguments? must\b
      listed => \bno (?:\w{1,12} )?files? listed\b
      unknown => \bis unknown\b
      table => \bno \`\w{1,20}\` table\b
      option => \boption .{1,40}:\s
      configuration => \bconfiguration is invalid\b
      invalid => \bis invalid:
      given,provided,specified,supplied => \bno \w{1,20} (?:has been |was |were |
      ... is )?(?:provided|specified|given|supplied)\b
      option => \boption does not exist\b
      field,fields => \bthe fields? .{1,60} (?:is|are) required\b
      undeclared => \bundeclared (?:resource|variable|input|output|module)\b
      definition => \bis required, but no definition\b
      parse => \bFailed to parse \`?--\w
      contain => \bdoes not contain an?\b
      which => \bwhich is required\b
      is => \bis not a \w{1,20} (?:project|file|directory|package)\b
      unsupported => \bare unsupported\b
      match => \b(?:could not|does not|did not|do not) match (?:any|supplied|the)\b
      nothing => \bNothing to do\b
    `,
    unless: String.raw`
      \bTraceback\b
      \bTypeError\b
      \bRuntimeError\b
      \bValueError\b
      \btoo many (?:open files|requests|redirects|connections|levels)
      \bexpected (?:a|an) .{0,30}\b(?:instance|object)\b
      \bwarning\b
    `,
  }),
  rule("hint-file", "file_not_found", "hint", 0.6, {
    sources: ["shell", "call"],
    ignoreCase: true,
    lines: String.raw`
      found,located,opened => \b(?:was|were|is|are|could) not (?:be )?(?:found|located|opened)\b
      found => \bnot found\b
      exist => \b(?:does not|doesn't|do not|don't) exist\b
      find,locate,open => \b(?:cannot|can't|could not) (?:find|open|locate)\b
      cd,load,read => \b(?:cannot|can't|could not) (?:load|read|cd to)\b
      find,locate,open => \b(?:couldn't|unable to|failed to) (?:find|open|locate)\b
      cd,load,read => \b(?:couldn't|unable to|failed to) (?:load|read|cd to)\b
      no => \bno (?:such|files?|matches|sources?) (?:found|match|in|were|was|for|or|listed)\b
      entry,input,inputs => \bno (?:inputs?|entry) (?:found|match|in|were)\b
      recipe,test,tests => \bno (?:recipe|tests?) (?:found|match|in|were)\b
      entry,input,inputs => \bno (?:inputs?|entry) (?:was|for|or|listed)\b
      recipe,test,tests => \bno (?:recipe|tests?) (?:was|for|or|listed)\b
      missing => \bis missing\b
      missing => \bmissing (?:file|directory|folder)\b
      such => \bno such (?!module|table|column|method|option|command|tool|subcommand)\w{2,20}\b
      found => \b[Nn]o [a-z][\w.-]{1,20}(?: [\w.-]{1,20}){0,2} found\b
      matched => \bname not matched\b
      neither => \b[Nn]either .{1,120} contains? an?\b
    `,
    unless: String.raw`
      \b(?:method|function|symbol|class|variable|attribute|property|keyerror|column|table|
      ... relation)\b
      \bCannot read propert
      \boption does not exist\b
      \bcomparison operator\b
      \b[Nn]o (?:errors?|problems?|issues?|changes|vulnerabilities|differences|tests?) found\b
      \b(?:suitable|compatible) version\b
      \bsignature not found\b
      \bversion '
    `,
  }),
  rule("hint-permission", "permission_denied", "hint", 0.66, {
    sources: ["shell", "call"],
    ignoreCase: true,
    lines: String.raw`
      access,permission,permissions,privilege,privileges,rights => \b(?:don't|do not|doesn't|
      ... does not|no|not enough|insufficient|lacks?|without) (?:have )?(?:\w{1,12} ){0,
      ... 2}(?:access|permissions?|rights|privileges?)\b
      access,accesss,permission,permissions,privilege,privileges => \b(?:permission|access|
      ... privilege)s? (?:is |was |were )?(?:denied|refused|required|needed|problem|error|
      ... violation)\b
      admin,root => \b(?:root|admin)\b.{0,30}\b(?:required|only|needed|privileges)\b
      administrator,superuser => \b(?:administrator|superuser)\b.{0,30}\b(?:required|only)\b
      administrator,superuser => \b(?:administrator|superuser)\b.{0,30}\b(?:needed|privileges)\b
      access,mode,rights => \b(?:root|admin)\b.{0,30}\b(?:rights|access|mode)\b
      administrator,superuser => \b(?:administrator|superuser)\b.{0,30}\b(?:rights|access|
      ... mode)\b
      admin,root => \b(?:need|needs|requires?|only|as) (?:\w{1,12} ){0,2}(?:root|admin)\b
      administrator => \b(?:need|needs|requires?) (?:\w{1,12} ){0,2}administrator\b
      superuser => \b(?:need|needs|requires?) (?:\w{1,12} ){0,2}superuser\b
      administrator,superuser => \b(?:only|as) (?:\w{1,12} ){0,2}(?:administrator|superuser)\b
      interactive => \binteractive authentication required\b
      protected,writeprotected => \b(?:is|are) (?:write-?)?protected\b
      denied => \bdenied\b
      read => \bread-only\b.{0,30}(?:file|variable|database|mode)
      readonly => \breadonly\b.{0,30}(?:file|variable|database|mode)
    `,
  }),
  rule("hint-network", "network_error", "hint", 0.62, {
    sources: ["shell", "call"],
    ignoreCase: true,
    lines: String.raw`
      access,connect,contact,download,fetch,host,network,reach,remote,url => \b(?:failed|unable|
      ... cannot|could not|couldn't|can't|error) (?:to )?(?:connect|reach|contact|download|
      ... fetch|access (?:the )?(?:url|host|server|network|remote))\b
      connection,download,fetch,network,proxy,socket => \b(?:connection|network|socket|proxy|
      ... download|fetch) (?:\w{1,12} ){0,2}(?:failed|failure|error|problem|issue|closed|lost|
      ... down|unavailable)\b
      after => \b(?:request|fetch|download) failed after \d{1,3} retr
      attempt,attempts => \battempts? to connect\b.{0,60}\bfailed\b
    `,
    unless: String.raw`
      \b(?:password|credential|unauthori[sz]ed|404|403|401)\b
      \bFailed to download \`
    `,
  }),
  rule("hint-dependency", "dependency_error", "hint", 0.6, {
    sources: ["shell"],
    ignoreCase: true,
    lines: String.raw`
      dependencies,dependency,extra,extras,lock,lockfile,module,modules,node,package,packages,
      ... plugin,plugins,python,requirement,requirements,sdk,toolchain,version,
      ... versions => \b(?:dependenc(?:y|ies)|requirements?|packages?|versions?|lock ?file|
      ... extras?|python|node|toolchain|sdk|plugins?|modules?)\b.{0,60}\b(?:incompatible|
      ... conflict(?:s|ing)?|unsatisf\w{1,8}|not satisfied|mismatch|unavailable|
      ... not (?:be )?(?:installed|available|present|resolved|compatible)|out of (?:date|sync)|
      ... missing|broken)\b
      broken,conflicting,incompatible,missing,unmet,unsatisfied => \b(?:incompatible|
      ... conflicting|unsatisfied|missing|unmet|broken) (?:\S{1,20} ){0,3}(?:dependenc(?:y|ies)|
      ... requirements?|packages?|versions?|modules?|plugins?)\b
      unsatisfied => \bunsatisfied!
      install => \bplease install\b
      installed => \bis not installed\b
      determine,install,resolve => \bfailed to (?:install|resolve|determine installation)\b
      archive,distribution,distributions,hash,hashes,interpreter,lock,lockfile,member,package,
      ... packages,requirement,requirements,sdist,sdists,wheel,wheels => \b(?:wheels?|
      ... source distributions?|sdists?|requirements?|packages?|hash(?:es)?|distributions?|
      ... lock ?file|workspace member|interpreter|archive)\b.{0,100}\b(?:can't|cannot|could not|
      ... couldn't|disabled|unsupported|not (?:allowed|available|installed|provided|defined|
      ... supported|a workspace member|up-to-date)|incompatible|conflicting|mismatch|is invalid|
      ... no hashes)\b
      extract => \bFailed to extract\b
      metadata => \bmetadata\b.{0,40}\b(?:invalid|missing|not found|failed)\b
      distributions => \bBuilding source distributions is disabled
      hash => \bHash-checking is enabled
      add,fetch,get,install,lock,sync,tidy,update => \brun \`?(?:npm|yarn|pnpm|pip|bundle|
      ... composer|cargo|uv|poetry) (?:install|get|sync|tidy|update|fetch|add|lock)\b
      get,mix,tidy => \brun \`?(?:mix deps\.get|go mod tidy|go get)\b
    `,
    unless: String.raw`
      \bcommand\b
      \bBUILD FAILED\b
    `,
  }),
  rule("hint-syntax", "syntax_error", "hint", 0.62, {
    sources: ["shell"],
    ignoreCase: true,
    lines: String.raw`
      syntax => \bsyntax\b
      parse,parsing => \b(?:parse|parsing) error\b
      unterminated => \bunterminated\b
      unclosed => \bunclosed\b
      unbalanced => \bunbalanced\b
      unexpected => \bunexpected (?:token|character|symbol|end|eof|indent)\b
      unexpected => \bunexpected (?:keyword|identifier|operator|string|newline)\b
      near => \bmissing .{1,6} near\b
      parse => \bcannot parse\b.{0,120}\b(?:json|ya?ml|toml|xml)\b
      expression,position => \b(?:in JSON at position|expression #\d)
      parse,parsing => \b(?:error|failed|failure|problem) (?:while )?(?:to )?pars(?:e|ing)\b
      unexpected => \bunexpected ['\"\`‘«]
    `,
    unless: String.raw`
      \bFailed to parse \`?--
      \bparse (?:environment variable|option|argument|value)
    `,
  }),
  rule("hint-timeout", "timeout", "hint", 0.62, {
    ignoreCase: true,
    lines: String.raw`
      out => \btimed?[ -]out\b
      timeout,timeouts => \btimeouts?\b
      stalled => \bstalled\b
      unresponsive => \bunresponsive\b
      hung => \bhung\b
      deadline => \bdeadline\b
    `,
    unless: String.raw`
      \btimeout (?:option|value|must|setting|config)
      --\w{0,20}timeout
      \btimeout[:=]\s?\d
      \bsetTimeout\b
    `,
  }),
  rule("hint-tests", "verification_failed", "hint", 0.62, {
    lines: String.raw`
      fail,failed => ^(?:FAIL|FAILED)\b
      failed,failing,failure,failures => \b\d{1,6} (?:failed|failures?|failing)\b
      failed => \b(?:[Aa]ssert|[Cc]heck|[Tt]est)\w{0,4} (?:has |have )?failed\b
      failed => \b(?:[Ss]pec|[Vv]alidation|[Vv]erification)\w{0,4} (?:has |have )?failed\b
      expected => \b[Ee]xpected\b.{1,80}\b(?:but )?(?:got|was|received|actual)\b
    `,
    unless: String.raw`
      \b0 (?:failed|failures?)\b
      \b(?:auth|login|connection|key|token|host)\w{0,12} (?:validation|verification|check)
      \b[Tt]ype validation\b
    `,
  }),
];
