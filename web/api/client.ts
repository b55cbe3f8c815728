/**
 * Requests to the server. Invariants: every error comes back as one `Problem` whose message can be shown; an
 * unreachable server is distinguished from one that refuses; a change carries the header that no other site can send.
 */
import type { Changes, Reads } from "./operations.ts";

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly next?: string;
}

/** The server did not answer. */
export const UNREACHABLE = "unreachable";
/** The browser is not signed in, or no longer. */
export const SIGNED_OUT = "signed-out";

export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export const problemOf = (error: unknown): Problem =>
  error instanceof ProblemError
    ? error.problem
    : { code: "failed", message: error instanceof Error ? error.message : String(error) };

export const addressOf = (name: string, input: unknown): string =>
  `/api/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;

export const read = async <Name extends keyof Reads>(
  name: Name,
  input: Reads[Name]["input"],
): Promise<Reads[Name]["output"]> =>
  (await (await ask(addressOf(name, input), {})).json()) as Reads[Name]["output"];

/** A read whose input may be too long for a URL. */
export const readLong = async <Name extends keyof Reads>(
  name: Name,
  input: Reads[Name]["input"],
): Promise<Reads[Name]["output"]> =>
  (await (await post(name, input)).json()) as Reads[Name]["output"];

export const change = async <Name extends keyof Changes>(
  name: Name,
  input: Changes[Name]["input"],
): Promise<Changes[Name]["output"]> =>
  (await (await post(name, input)).json()) as Changes[Name]["output"];

export const signIn = async (code: string): Promise<void> => void (await post("sign-in", { code }));

const post = (name: string, body: unknown): Promise<Response> =>
  ask(`/api/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-unstuck": "page" },
    body: JSON.stringify(body),
  });

export async function ask(address: string, options: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, { ...options, credentials: "same-origin", cache: "no-store" });
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new ProblemError({
      code: UNREACHABLE,
      message: "Unstuck does not answer. Is it still running?",
      next: "unstuck serve",
    });
  }
  if (response.ok) return response;
  const answer = (await response.json().catch(() => ({}))) as { readonly problem?: Problem };
  const problem = answer.problem ?? {
    code: "failed",
    message: `The server answered ${response.status}.`,
  };
  throw new ProblemError(response.status === 401 ? { ...problem, code: SIGNED_OUT } : problem);
}
