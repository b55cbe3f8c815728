/**
 * The single commands in check texts, for permission rules that name commands. The checks are the user's own; a command
 * that a rule cannot express is left out, which means it is not permitted.
 */

const JOINTS = /&&|\|\||[;|\n]/;
/** Every rule language reads quotes and brackets differently. */
const UNNAMEABLE = /[()"'`$*,\\{}[\]<>]/;
const MAX_COMMANDS = 50;
const MAX_LENGTH = 200;

export function commandsIn(checks: readonly string[]): readonly string[] {
  const commands = checks
    .flatMap((check) => check.slice(0, 4000).split(JOINTS))
    .map((command) => command.trim())
    .filter((command) => command !== "" && command.length <= MAX_LENGTH)
    .filter((command) => !UNNAMEABLE.test(command));
  return [...new Set(commands)].slice(0, MAX_COMMANDS);
}

/** Whether a command is a check, or consists only of checks with extra arguments. */
export function isOneOf(command: string, checks: readonly string[]): boolean {
  if (checks.includes(command)) return true;
  const allowed = commandsIn(checks);
  const pieces = command.split(JOINTS).map((piece) => piece.trim());
  return pieces.every(
    (piece) =>
      !UNNAMEABLE.test(piece) &&
      !piece.includes("&") &&
      allowed.some((one) => piece === one || piece.startsWith(`${one} `)),
  );
}
