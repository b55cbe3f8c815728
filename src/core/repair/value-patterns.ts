/**
 * Where the values of a failure stand in its text: patterns as data, tried in order; the first group is the value.
 * Functions, because few of them are needed at a time. Invariant: every repeat is bounded, so a match costs linear
 * time on the bounded text it reads.
 */

export const MISSING_COMMAND = (): readonly RegExp[] => [
  /command not found: ([\w.+-]{1,64})/gi,
  /(?:^|[\s:])([\w.+-]{1,64}): (?:command )?not found/gim,
  /['"‘`]([\w.+-]{1,64})['"’`] is not recognized/gi,
  /exec: "([\w.+-]{1,64})": executable file not found/gi,
  /\bspawn ([\w.+-]{1,64}) ENOENT/g,
  /env: ['"‘]?([\w.+-]{1,64})['"’]?: No such file/gi,
  /^(?:ba|z|da|k)?sh: [^:\n]{1,40}: ([\w.+-]{1,64}): [^\n]{1,80}$/gim,
  /FileNotFoundError: \[\w{1,10} 2\] [^\n'"]{1,60}['"]([\w+-]{1,64})['"]/g,
];

const DENIED_OR_MISSING =
  "(?:No such file(?: or directory)?|Permission denied|Access is denied|Operation not permitted|" +
  "Read-only file system|No space left on device|cannot find the (?:path|file))";
const pattern = (source: string): RegExp => new RegExp(source, "gim");

export const PATH = (): readonly RegExp[] => [
  /(?:ENOENT|EACCES|EPERM|EROFS|ENOSPC|EISDIR|ENOTDIR)[^\n'"‘]{0,120}['"‘]([^'"’\n]{1,512})['"’]/g,
  /\bpath: ['"]([^'"\n]{1,512})['"]/g,
  pattern(`${DENIED_OR_MISSING}[^\\n'"‘]{0,40}['"‘]([^'"’\\n]{1,512})['"’]`),
  pattern(`['"‘]([^'"‘’\\n]{1,512})['"’][^\\n'"‘’]{0,40}${DENIED_OR_MISSING}`),
  pattern(
    `^(?:cat|ls|cp|mv|rm|head|tail|grep|stat|touch|mkdir|cd|wc|sed|tar|diff|(?:ba|z|da)?sh): ` +
      `(?:line \\d{1,6}: )?([^:\\n'"]{1,512}): ${DENIED_OR_MISSING}`,
  ),
  pattern(`(?:^|[\\s:])([^\\s:'"]{1,512}): ${DENIED_OR_MISSING}`),
  /(?:file|path|directory) not found:? ['"‘]?([^\s'"’]{1,512})/gi,
];

export const URL_IN_COMMAND = (): readonly RegExp[] => [
  /\bhttps?:\/\/[^\s'"`<>()[\]{}\\^|]{1,400}/gi,
];

/** An address that was asked for; one that a message refers its reader to is none. */
export const URL_IN_ERROR = (): readonly RegExp[] => [
  /(?:fetch|download|access|request|connect|reach|open|load|retriev|clon|url|GET|POST)[^\n]{0,40}?(https?:\/\/[^\s'"`<>()[\]{}\\^|]{1,400})/gi,
];

export const HOST = (): readonly RegExp[] => [
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([A-Za-z0-9][A-Za-z0-9.-]{0,250})/g,
  /resolve host(?:name)?:? ['"]?([A-Za-z0-9][A-Za-z0-9.-]{0,250})/gi,
  /\blookup ([A-Za-z0-9][A-Za-z0-9.-]{0,250})/g,
  /\bhost=['"]([A-Za-z0-9][A-Za-z0-9.-]{0,250})['"]/g,
  /(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH) ([A-Za-z0-9][A-Za-z0-9.-]{0,250})/g,
  /connect(?:ion|ing)? to (?:server at )?['"]?([A-Za-z0-9][A-Za-z0-9.-]{0,250})/gi,
];

export const TOOL_NAME = (): readonly RegExp[] => [
  /(?:unknown|unavailable|invalid|no such|unsupported) tool(?: available| name)?:? ?['"`]?([\w.:/-]{1,80})/gi,
  /\btool ['"`]?([\w.:/-]{1,80})['"`]? (?:is not|not|does not|was not|isn't)/gi,
  /([\w.:/-]{1,80}) is not (?:a valid|an available|in (?:the )?allow-?list)/gi,
];

export const WRONG_WORD = (): readonly RegExp[] => [
  /(?:unrecognized|unknown|unexpected|invalid|illegal|unsupported)[^\n'"‘`]{0,60}['"‘`]([^'"’`\n]{1,120})['"’`]/gi,
  /['"]([\w-]{1,60})['"] is not (?:a \w{1,30} command|defined|in the)/gi,
  /(?:unrecognized|unknown|illegal|invalid) option:? (?:-- )?([^\s'"]{1,80})/gi,
];

export const SUGGESTED_WORD = (): readonly RegExp[] => [
  /did you mean(?: this| one of these)\??:?\s{1,100}['"‘`]?([^\s'"’`?]{1,80})/gi,
  /did you mean:? ['"‘`]?([^\s'"’`?]{1,80})/gi,
  /most similar \w{1,20}(?: to ['"][^'"\n]{1,60}['"])? (?:is|are):?\s{1,100}([\w-]{1,80})/gi,
];

export const PARAMETER = (): readonly RegExp[] => [
  /missing (?:required )?(?:parameter|argument|option|field|property):? ['"`]?([\w.-]{1,80})/gi,
  /['"`]?([\w.-]{1,80})['"`]? (?:should|must) be (?:an? |of type )?\w{1,20}/gi,
  /for ['"]?(--?[\w-]{1,60})/g,
];

export const EXPECTED_TYPE = (): readonly RegExp[] => [
  /(?:should|must) be (?:an? |of type )?(string|number|integer|boolean|object|array|null)\b/gi,
];

/** Two groups: amount and unit (no unit: milliseconds). */
export const TIME_LIMIT = (): readonly RegExp[] => [
  /\btimed? ?out (?:after|of|in) (\d{1,9})(?:\.\d{1,3})? ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/gi,
  /\btimeout_?ms['"]?[:=] ?(\d{1,9})()/gi,
];

/**
 * A command that limits itself; four groups: options, amount, unit (no unit: seconds), the limited
 * command.
 */
export const OWN_TIMEOUT =
  /^timeout ((?:(?:-[ks] \S{1,10}|-\S{1,20}) ){0,3})(\d{1,6})([smhd]?) ([^]{1,2000})$/;

/** Two groups: file and line. */
export const SYNTAX_PLACE = (): readonly RegExp[] => [
  /(?:^|[\s"'(])([\w./-]{1,200}[.\w]):(?: line )?(\d{1,6})(?=[:\s,)]|$)/gim,
];
