/**
 * Creating, listing and revoking the tokens of programs, and signing browsers out. Invariants: a token is shown once; a
 * name identifies one token; none is created or revoked inside an attempt.
 */
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, operation, ProblemError } from "../operation.ts";
import { allAccess, grant, revoke, type KeptAccess } from "../serve/access.ts";
import { cleanLine } from "../text.ts";
import { createToken as createSchemas } from "./schemas.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export const createToken = operation({
  name: "token-create",
  schemas: async () => (await import("./schemas.ts")).createToken,
  run(_, input) {
    refuseInsideAttempt("token create");
    const checked = createSchemas.input.safeParse(input);
    if (!checked.success)
      throw new ProblemError(
        "bad-input",
        `a token's name ${checked.error.issues[0]?.message ?? ""}`,
      );
    const { name, days } = checked.data;
    const now = Date.now();
    if (allAccess(now).some((one) => one.kind === "token" && one.name === name))
      throw new ProblemError(
        "not-now",
        `there is a token ${name} already; to replace it: unstuck token revoke ${name}`,
      );
    const expires = days === undefined ? undefined : now + days * DAY_MS;
    const access = { kind: "token" as const, name, created: now, ...defined({ expires }) };
    return { ...access, token: grant(access) };
  },
});

export const listTokens = operation({
  name: "token-list",
  schemas: async () => (await import("./schemas.ts")).listTokens,
  run: () => ({
    tokens: allAccess(Date.now()).flatMap(({ id: _, kind, expires, ...access }) =>
      kind === "link" ? [] : [{ kind, ...access, ...defined({ expires }) }],
    ),
  }),
});

export const revokeToken = operation({
  name: "token-revoke",
  schemas: async () => (await import("./schemas.ts")).revokeToken,
  run(_, { name }) {
    refuseInsideAttempt("token revoke");
    const isMeant = (one: KeptAccess): boolean => one.kind !== "link" && one.name === name;
    const revoked = allAccess(Date.now()).filter(isMeant).filter(revoke).length;
    if (revoked > 0) return { name, revoked };
    throw new ProblemError(
      "not-found",
      `there is no token ${cleanLine(name, 60)}; see: unstuck token list`,
    );
  },
});
