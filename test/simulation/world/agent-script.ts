/**
 * What a scripted agent does in one attempt: edits, words and how it ends, drawn from the seed. The words of
 * failures are invented; which kind they mean is for `classify` to find out.
 */
import type { Chance } from "./chance.ts";
import { MENDED } from "./tree.ts";

export type Deed = { readonly afterMs: number } & (
  | { readonly kind: "write"; readonly file: string; readonly text: string }
  | { readonly kind: "say"; readonly text: string }
  /** Waits with a call until it hears whether it may. */
  | { readonly kind: "ask"; readonly command: string }
);

export type Finale =
  | {
      readonly kind: "exit";
      readonly code: number;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly kind: "signal"; readonly signal: string }
  /** Says and does nothing more until somebody ends it. */
  | { readonly kind: "hang" }
  /** Says something new every minute until somebody ends it. */
  | { readonly kind: "endless" }
  /** Says the same again and again until somebody ends it. */
  | { readonly kind: "loop" }
  | { readonly kind: "guard-lost" }
  | { readonly kind: "not-started"; readonly errno: string };

export interface AttemptScript {
  /** Why the agent cannot even be started. */
  readonly refusal?: string;
  readonly deeds: readonly Deed[];
  readonly finale: Finale;
}

/** How agents of this world are: weights of what becomes of an attempt. */
export type Temper = Readonly<Record<Performance, number>>;
type Performance =
  "good" | "wrong" | "idle" | "provider" | "fatal" | "tool" | "cut" | "odd" | "missing";

export const TEMPERS: readonly Temper[] = [
  { good: 12, wrong: 3, idle: 1, provider: 1, fatal: 0.3, tool: 1, cut: 1, odd: 0.5, missing: 0.1 },
  { good: 5, wrong: 6, idle: 2, provider: 2, fatal: 0.5, tool: 2, cut: 2, odd: 1, missing: 0.2 },
  { good: 4, wrong: 2, idle: 1, provider: 8, fatal: 0.5, tool: 1, cut: 1, odd: 0.5, missing: 0.1 },
  { good: 4, wrong: 2, idle: 1, provider: 1, fatal: 0.5, tool: 1, cut: 8, odd: 1, missing: 0.1 },
  {
    good: 1,
    wrong: 8,
    idle: 4,
    provider: 1,
    fatal: 0.1,
    tool: 0.5,
    cut: 1,
    odd: 0.3,
    missing: 0.05,
  },
];

export interface ScriptRequest {
  readonly chance: Chance;
  readonly temper: Temper;
  readonly subtask: string;
  readonly attempt: number;
  readonly readOnly: boolean;
  readonly structured: boolean;
}

const PROVIDER_WORDS = [
  "Request failed: 429 too many requests, rate limit reached",
  "rate limit exceeded, please try again in 40 seconds",
  "The service is overloaded right now (status 529), overloaded_error",
  "HTTP 500 internal server error from the model service",
  "HTTP 503 service unavailable",
  "network error: connect ECONNREFUSED 192.0.2.7:443",
  "usage limit reached, resets in 2 hours",
] as const;
const FATAL_WORDS = [
  "401 unauthorized: invalid API key, please log in",
  "your credit balance is too low to go on",
  "session expired, run login again",
] as const;
const TOOL_WORDS = [
  "bash: frobnicate: command not found",
  "cat: notes.txt: No such file or directory",
  "prompt is too long: the context window of 200000 tokens is exceeded",
  "write failed: no space left on device (ENOSPC)",
  "mkdir: cannot create directory: Permission denied",
  "I cannot help with that request as it violates the usage policy",
  "something went wrong in a way nobody has seen before",
  "panic: unreachable code was reached",
] as const;

export function attemptScript(request: ScriptRequest): AttemptScript {
  const { chance, temper } = request;
  const performance = chance.weighted(temper);
  const said = `<approach>way ${chance.between(1, 4)}</approach>`;
  const deeds: Deed[] = [{ kind: "say", text: `${said}\n`, afterMs: chance.between(100, 20_000) }];
  const touches = performance === "good" || performance === "wrong" || chance.happens(0.4);
  if (touches && (!request.readOnly || chance.happens(0.4)))
    deeds.push(...edits(request, performance));
  deeds.push(...requests(chance.fork("requests")));
  const fail = (stderr: string): Finale => ({
    kind: "exit",
    code: chance.between(1, 3),
    stdout: said,
    stderr,
  });
  switch (performance) {
    case "good":
    case "wrong":
    case "idle":
      return {
        deeds,
        finale: { kind: "exit", code: 0, stdout: answer(request, said), stderr: "" },
      };
    case "provider":
      return { deeds, finale: fail(chance.pick(PROVIDER_WORDS)) };
    case "fatal":
      return { deeds, finale: fail(chance.pick(FATAL_WORDS)) };
    case "tool":
      return { deeds, finale: fail(chance.pick(TOOL_WORDS)) };
    case "cut":
      return { deeds, finale: cut(chance) };
    case "odd":
      return { deeds, finale: { kind: "signal", signal: chance.pick(["SIGKILL", "SIGSEGV"]) } };
    case "missing":
      return chance.happens(0.5)
        ? { deeds: [], finale: { kind: "not-started", errno: chance.pick(["ENOENT", "EACCES"]) } }
        : { refusal: "the agent's command cannot be read", deeds: [], finale: { kind: "hang" } };
  }
}

const cut = (chance: Chance): Finale => ({
  kind: chance.pick(["hang", "endless", "loop", "guard-lost"] as const),
});

function edits({ chance, subtask, attempt }: ScriptRequest, performance: Performance): Deed[] {
  const write = (file: string, text: string): Deed => ({
    ...{ kind: "write", file, text },
    afterMs: chance.between(100, 200_000),
  });
  const wrong = chance.pick(["bad", `bad ${attempt}`, `uncompiled${attempt}`]);
  const deeds = [
    write(`${subtask}.work`, performance === "good" ? `good ${chance.between(1, 2)}` : wrong),
  ];
  if (chance.happens(0.3)) deeds.push(write("shared", `as ${subtask} likes it`));
  else if (attempt > 1 && chance.happens(0.6)) deeds.push(write("shared", "as it was"));
  if (chance.happens(0.2)) deeds.push(write(`half-${subtask}`, chance.pick(["yes", ""])));
  if (chance.happens(0.5)) deeds.reverse();
  if (performance === "good" && chance.happens(0.12)) deeds.push(write(MENDED, "yes"));
  return deeds;
}

const COMMANDS = ["npm ci", "make install", "git log", "rm -rf /elsewhere"] as const;

const requests = (chance: Chance): Deed[] =>
  Array.from({ length: chance.pick([0, 0, 0, 0, 1, 2]) }, () => ({
    ...{ kind: "ask", command: chance.pick(COMMANDS), afterMs: chance.between(100, 60_000) },
  }));

function answer({ chance, structured, attempt }: ScriptRequest, said: string): string {
  if (structured)
    return chance.happens(0.75) ? JSON.stringify({ count: attempt }) : "here you are: {count: ";
  if (chance.happens(0.08)) return "";
  return `${said}\nfound ${chance.between(1, 9)} things\n<progress>step ${attempt}</progress>`;
}
