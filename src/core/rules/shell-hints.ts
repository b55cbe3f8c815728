/**
 * Word families that commands use for their errors, for tools no table knows. Hints only: any rule that knows the
 * wording is believed first.
 */
import type { Rule } from "../classify/rule.ts";

export const SHELL_HINTS: readonly Rule[] = [
  {
    id: "hint-arguments",
    kind: "invalid_arguments",
    level: "hint",
    confidence: 0.62,
    settings: ["shell", "call"],
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
    example: "cartctl: unknown predicate `-heavy'",
    nearMiss: "cartctl: unknown error",
  },
  {
    id: "hint-file",
    kind: "file_not_found",
    level: "hint",
    confidence: 0.6,
    settings: ["shell", "call"],
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
    example: "the ledger page 12 was not found",
    nearMiss: "the ledger was found",
  },
  {
    id: "hint-permission",
    kind: "permission_denied",
    level: "hint",
    confidence: 0.66,
    settings: ["shell", "call"],
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
    example: "You don't have access to the cart database.",
    nearMiss: "a permission slip",
  },
  {
    id: "hint-network",
    kind: "network_error",
    level: "hint",
    confidence: 0.62,
    settings: ["shell", "call"],
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
    example: "cartctl: error fetching the list: download failed",
    nearMiss: "the network of carts",
  },
];
