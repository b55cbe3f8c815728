/** The keys, in a dialog. */
import { useEffect, useRef } from "preact/hooks";
import { helpIsOpen } from "./keyboard.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["g r", "Runs"],
  ["g i", "Inbox"],
  ["g s", "Insights"],
  ["g n", "New run"],
  ["j  k", "Next, previous"],
  ["Enter", "Open what is marked"],
  ["/", "Search in the list"],
  ["1 … 9", "In the inbox: choose this answer"],
  ["[  ]", "In an attempt: the one before, the one after"],
  ["Esc", "Back, or close"],
  ["?", "These keys"],
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
      <button onClick={() => dialog.current?.close()}>Close</button>
    </dialog>
  );
}
