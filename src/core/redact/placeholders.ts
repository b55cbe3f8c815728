/** Recognises values that look like secrets but are not: paths, placeholders, made-up examples. */

const PLACEHOLDER =
  /^(?:\$[A-Za-z_{($]|\$$|%[A-Za-z_]|[<{([]|\*{3}|\.{3}|…|!|#|process\.env|os\.environ|os\.getenv|import\.meta|env[.([]|ENV\[|secrets\.|vault:|op:\/\/|arn:|file:|sha\d+[-:]|\/\/|&)/;

const MADE_UP_WORDS =
  /^(?:your|my|the|some|example|dummy|fake|sample|placeholder|change|replace|insert|enter|todo|put)[-_ ]/i;

const PATH =
  /^(?:~|\.{1,2})?\/[\w.@ -]{0,200}(?:[/.]|$)|^[A-Za-z]:[\\/]|^[\w@-]{1,100}(?:\/[\w.@-]{1,100}){0,20}\.[a-z]{2,4}$/;

const FILE =
  /^[\w.-]{1,100}\.(?:[cm]?[jt]sx?|py|json|ya?ml|toml|pem|key|txt|env|go|rs|java|rb|sh|md|cfg|ini|crt|conf)$/i;

export const isPlaceholder = (value: string): boolean =>
  value === "" ||
  PLACEHOLDER.test(value) ||
  /^(.)\1*$/.test(value) ||
  /^[xX*.•#_-]+$/.test(value) ||
  (!/\d/.test(value) && (MADE_UP_WORDS.test(value) || /[-_]here$/i.test(value)));

export function isPath(value: string): boolean {
  if (FILE.test(value)) return true;
  if (!PATH.test(value)) return false;
  const isBase64 = value.length >= 32 && /^[A-Za-z0-9+/]+=*$/.test(value) && /\d/.test(value);
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value);
  return !(isBase64 && isMixed && /[+=]|[A-Z][a-z][A-Z]/.test(value));
}

/**
 * Whether the value of a variable with a secret name is secret: at least eight characters, and neither a path nor a
 * plain word.
 */
export const isKnownSecret = (value: string): boolean =>
  value.length >= 8 &&
  !isPlaceholder(value) &&
  !isPath(value) &&
  !/^[A-Za-z]?[a-z]{0,19}$|^[A-Z]{1,20}$/.test(value);
