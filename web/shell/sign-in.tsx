/**
 * Signs this browser in with the code of a link that the terminal printed. Invariant: the code is removed from the
 * address before it is used, so that it stays in no history.
 */
import { useEffect, useState } from "preact/hooks";
import { problemOf, signIn, type Problem } from "../api/client.ts";
import { reconnect } from "../api/live.ts";
import { readAgain, signedOut } from "../api/reading.ts";
import { Command } from "../parts/command.tsx";
import { Mark } from "../parts/icons.tsx";
import { fragment, go } from "./route.ts";

export function SignIn() {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(fragment.value !== "");
  useEffect(() => {
    const code = fragment.value;
    if (code === "") return;
    go("/sign-in", "replace");
    signIn(code).then(
      () => {
        signedOut.value = false;
        reconnect();
        readAgain();
        go("/", "replace");
      },
      (error: unknown) => {
        setBusy(false);
        setProblem(problemOf(error));
      },
    );
  }, []);
  return (
    <main class="sign-in">
      <Mark />
      <h1>{busy ? "Signing you in" : "Sign in from your terminal"}</h1>
      {problem === undefined ? null : (
        <p class="notice" data-tone="failed" role="alert">
          {problem.message}
        </p>
      )}
      {busy ? (
        <p class="dim">One moment.</p>
      ) : (
        <>
          <p class="dim">
            A link from the terminal signs this browser in. Each link works once. This command opens
            the page with a fresh one:
          </p>
          <Command text="unstuck open" />
        </>
      )}
    </main>
  );
}
