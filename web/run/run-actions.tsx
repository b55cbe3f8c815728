/** Actions on a whole run: pause it, resume it, end it for good. */
import { useRef, useState } from "preact/hooks";
import { change, problemOf, type Problem } from "../api/client.ts";
import type { Reads } from "../api/operations.ts";
import { readAgain } from "../api/reading.ts";

type Run = Reads["read"]["output"];

const ENDED: ReadonlySet<string> = new Set([
  ...["verified", "unverified", "failed", "out of budget", "cancelled", "imported"],
]);

export function RunActions({ run: { id, state, alive } }: { readonly run: Run }) {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  if (ENDED.has(state)) return null;
  const act = (what: "stop" | "resume" | "cancel") => (): void => {
    setBusy(true);
    change(what, { run: id }).then(
      () => {
        setBusy(false);
        setProblem(undefined);
        readAgain();
      },
      (error: unknown) => {
        setBusy(false);
        setProblem(problemOf(error));
      },
    );
  };
  return (
    <div class="run-actions">
      {problem === undefined ? null : (
        <p class="notice" data-tone="failed" role="alert">
          {problem.message}
        </p>
      )}
      {alive ? (
        <button disabled={busy || state === "pausing"} onClick={act("stop")}>
          Pause
        </button>
      ) : (
        <button class="primary" disabled={busy} onClick={act("resume")}>
          Resume
        </button>
      )}
      <button disabled={busy} onClick={() => dialog.current?.showModal()}>
        Cancel
      </button>
      <dialog ref={dialog} class="dialog" aria-labelledby="cancel-title">
        <h2 id="cancel-title">End this run for good?</h2>
        <p>What is verified so far is kept. It cannot be resumed afterwards.</p>
        <div class="dialog-actions">
          <button onClick={() => dialog.current?.close()}>Keep it</button>
          <button
            class="primary"
            onClick={() => {
              dialog.current?.close();
              act("cancel")();
            }}
          >
            End it
          </button>
        </div>
      </dialog>
    </div>
  );
}
