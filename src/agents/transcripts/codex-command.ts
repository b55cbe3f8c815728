/** A command as Codex tells it, without the shell that it starts it with. */
const WRAPPED = /^\S{0,40}sh -lc (['"])([^]*)\1$/;

export const unwrapped = (command: string): string => WRAPPED.exec(command)?.[2] ?? command;
