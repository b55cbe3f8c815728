/**
 * A command typed at a real terminal of 80 columns by a user who accepts what it proposes: every question is answered
 * with the default in its brackets, and counted. The terminal is made by `script` of util-linux.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";

export interface TypedCommand {
  readonly code: number | null;
  readonly ms: number;
  /** The command with its Enter, and the answers. */
  readonly keystrokes: number;
  readonly questions: readonly string[];
  /** What the screen showed, without colours. */
  readonly screen: string;
}

const QUESTIONS_MAX = 10;

/** The prompt at the end of the screen: words, then the answers in brackets: `[Y/n]`, `[y/N]`, `1-3 [1]:`. */
const QUESTION = /(?:^|\n)([^\n]*\[(y\/n|\d+)\][:?]? ?)$/i;

/** `shown`: what a user would type; `command`: the same plus what only this machine needs. */
export async function typeCommand(
  shown: string,
  command: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<TypedCommand> {
  const began = Date.now();
  const child = spawn("script", ["-qfec", `stty rows 24 cols 80 && ${command}`, "/dev/null"], {
    cwd,
    env: { ...env, TERM: "xterm-256color", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const questions: string[] = [];
  let screen = "";
  let keystrokes = shown.length + 1;
  let answeredTo = 0;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    screen += chunk;
    const fresh = stripVTControlCharacters(screen.slice(answeredTo)).replaceAll("\r", "");
    const [, question, choices] = QUESTION.exec(fresh) ?? [];
    if (question === undefined || choices === undefined) return;
    answeredTo = screen.length;
    questions.push(question.trim());
    if (questions.length > QUESTIONS_MAX) return void child.kill();
    const keys = choices === "y/N" ? "y\r" : "\r";
    keystrokes += keys.length;
    child.stdin.write(keys);
  });
  const [code] = (await once(child, "close")) as [number | null];
  const ms = Date.now() - began;
  return { code, ms, keystrokes, questions, screen: stripVTControlCharacters(screen) };
}
