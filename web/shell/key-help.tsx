/** The keys, in a dialog. */
import { useEffect, useRef } from "preact/hooks";
import { helpIsOpen } from "./keyboard.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["g r", "Runs"],
  ["g i", "Inbox"],
  ["g s", "Insights"],
  ["g n", "New run"],
  ["j  k", "Next, previous"],
  ["Enter", "Open the selected one"],
  ["/", "Search the list"],
  ["1 … 9", "In the inbox: choose an answer"],
  ["Ctrl Enter", "In the inbox: send it"],
  ["[  ]", "In an attempt: previous, next"],
  ["Esc", "Back, or close"],
  ["?", "Show these keys"],
];

export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="keys-title"
      onClose={() => (helpIsOpen.value = false)}
    >
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(/ +/).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-actions">
        <button onClick={() => dialog.current?.close()}>Close</button>
      </div>
    </dialog>
  );
}
