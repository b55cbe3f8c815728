/**
 * Runs the git binary; nothing else in src/workspace starts it. Invariants: arguments are a list and never reach a
 * shell; GIT_* variables are not inherited, except the user's identity for calls with the user's config; hooks, gc,
 * fsmonitor, prompts and LFS downloads are off; output is bounded; every git has a time limit; neither it nor its
 * filter programs survive that limit, an abort, a stop or this process.
 */
import { defined } from "../../core/defined.ts";
import { type Control } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { startProgram } from "../base/program.ts";
import type { ProgramPlan } from "../base/starter.ts";
import { programLimit, durationText, watched } from "../base/programs.ts";

export const IDENTITY = { name: "Unstuck", email: "unstuck@localhost" } as const;

export type GitEnv = Readonly<Record<string, string>>;

export interface GitCall {
  readonly args: readonly string[];
  /** GIT_DIR, GIT_WORK_TREE and similar, made by `git-dir`; the only GIT_* variables that git sees. */
  readonly env: GitEnv;
  readonly cwd?: string;
  readonly input?: string | Buffer;
  readonly maxBytes?: number;
  /** At `maxBytes`, cut the output and report it instead of refusing. */
  readonly cut?: boolean;
  readonly okCodes?: readonly number[];
  /** `later`: objects are written out, and the caller makes them durable with its own flush. */
  readonly flush?: "now" | "later";
  /** "user": also read the user's own global settings, as their git would. */
  readonly config?: "none" | "user";
  /** The user's filter programs are running: if it takes longer than this, they are to blame. */
  readonly filterLimitMs?: number;
}

export interface GitOutput {
  /** Bytes as latin1, so that names in any encoding survive; `text()` reads them as UTF-8. */
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  readonly cut: boolean;
}

const ALWAYS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "submodule.recurse=false",
  "lfs.url=file:///dev/null",
];
/** Not set in the user's own checkout, whose reflogs and disk settings stay unchanged. */
const PRIVATE = [
  "core.logAllRefUpdates=false",
  "core.fsync=committed,loose-object",
  "checkout.workers=4",
];
const settingsOf = ({ config, flush = "now" }: GitCall): string[] =>
  config === "user"
    ? ALWAYS
    : [...ALWAYS, ...PRIVATE, `core.fsyncMethod=${flush === "now" ? "batch" : "writeout-only"}`];

/** Signals from a terminal. Git runs in its own session, so they reach it only while it is starting. */
const FROM_TERMINAL: readonly (string | undefined)[] = ["SIGHUP", "SIGINT", "SIGQUIT"];

export async function git(call: GitCall, control: Control, tries = 3): Promise<GitOutput> {
  const asUser = call.config === "user";
  if (control.signal?.aborted === true) stopped(call);
  control.onGit?.(call.args);
  const cwd = call.cwd ?? call.env["GIT_WORK_TREE"] ?? call.env["GIT_DIR"] ?? "/";
  const settings = settingsOf(call).flatMap((setting) => ["-c", setting]);
  const limit = call.maxBytes ?? 256 * 1024 * 1024;
  const chunks: Buffer[] = [];
  let size = 0;
  let errors = "";
  const plan: ProgramPlan = {
    ...{ file: "git", args: [...settings, ...call.args], cwd, env: environment(call.env, asUser) },
    input: call.input ?? "",
    onOutput(chunk, end) {
      if (size < limit) chunks.push(chunk);
      size += chunk.length;
      if (size > limit) end();
    },
    onErrors(chunk) {
      errors = (errors + chunk.toString("utf8")).slice(-4096);
    },
  };
  const { code, signal } = await ended(plan, call, control);
  if (FROM_TERMINAL.includes(signal) && tries > 0) return git(call, control, tries - 1);
  const cut = size > limit;
  if (cut && call.cut !== true) refuse("git-failed", `git ${call.args[0]} wrote too much`);
  if (!cut && !(call.okCodes ?? [0]).includes(code)) failed(call.args, code, errors);
  const stdout = Buffer.concat(chunks).subarray(0, limit).toString("latin1");
  return { stdout, stderr: errors, code, cut };
}

async function ended(
  plan: ProgramPlan,
  call: GitCall,
  control: Control,
): Promise<{ readonly code: number; readonly signal?: string }> {
  const name = `git ${call.args[0]}`;
  const limitMs = call.filterLimitMs ?? programLimit();
  try {
    const program = await startProgram(plan);
    const told = { name, folder: plan.cwd, limitMs };
    const { by, ...end } = await watched(program, told, control.signal);
    if (by === undefined) return end;
    if (by !== "limit") stopped(call);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    refuse("git-missing", "the git command was not found");
  }
  const took = durationText(limitMs);
  if (call.filterLimitMs !== undefined)
    refuse("filter-failed", `${name}: a filter did not end in ${took}`);
  return refuse(
    "too-slow",
    `${name} was ended, it took longer than ${took} in ${plan.cwd}; UNSTUCK_GIT_MINUTES allows more`,
  );
}

const stopped = ({ args }: GitCall): never => refuse("aborted", `git ${args[0]} was stopped`);

function environment(extra: GitEnv, asUser: boolean): Record<string, string> {
  const { PATH = "", HOME = "/", TMPDIR, XDG_CONFIG_HOME } = process.env;
  // A relative entry would find programs in the tree that an agent works in.
  const folders = PATH.split(":").filter((part) => part.startsWith("/"));
  return {
    PATH: folders.join(":"),
    HOME,
    ...defined({ TMPDIR, XDG_CONFIG_HOME }),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_LFS_SKIP_DOWNLOAD_ERRORS: "1",
    GIT_LITERAL_PATHSPECS: "1",
    ...(asUser
      ? givenIdentity()
      : { ...OWN_IDENTITY, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" }),
    ...extra,
  };
}

const OWN_IDENTITY = {
  GIT_AUTHOR_NAME: IDENTITY.name,
  GIT_AUTHOR_EMAIL: IDENTITY.email,
  GIT_COMMITTER_NAME: IDENTITY.name,
  GIT_COMMITTER_EMAIL: IDENTITY.email,
};

/** The user's identity as far as their environment gives it; git settings supply the rest. */
const givenIdentity = (): Record<string, string> =>
  Object.fromEntries(
    Object.keys(OWN_IDENTITY).flatMap((name) => {
      const value = process.env[name] ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );

function failed(args: readonly string[], code: number, errors: string): never {
  const said = errors.trim() || `exit code ${code}`;
  const detail = `git ${args[0]}: ${said}`;
  if (/No space left on device|Disk quota exceeded/.test(errors)) refuse("disk-full", detail);
  if (/dubious ownership/.test(errors)) refuse("not-owned", detail);
  if (/not a git repository|must be run in a work tree/.test(errors))
    refuse("not-a-repository", detail);
  const filter = /: (?:clean|smudge) filter '?([^'\n]{1,200}?)'? failed$/m.exec(errors);
  if (filter !== null)
    refuse("filter-failed", `the filter ${filter[1]} of your git config failed: ${said}`);
  if (/\.lock': File exists/.test(errors)) refuse("locked", detail);
  if (/unable to read (?:sha1 file|tree|object)|missing blob|bad object/.test(errors))
    refuse("objects-missing", detail);
  return refuse("git-failed", detail);
}

/** The id that a name resolves to, or null. */
export async function idOf(env: GitEnv, name: string, control: Control): Promise<string | null> {
  const args = ["rev-parse", "-q", "--verify", name];
  const { code, stdout } = await git({ args, env, okCodes: [0, 1, 128] }, control);
  return code === 0 ? stdout.trim() : null;
}

/** Decodes a name or text from git (latin1 bytes) as UTF-8. */
export const text = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");
export const bytes = (name: string): string => Buffer.from(name, "utf8").toString("latin1");
export const records = (stdout: string): string[] =>
  stdout.split("\0").filter((part) => part !== "");
