/** A command to copy. */
import { useState } from "preact/hooks";
import { Icon } from "./icons.tsx";

export function Command({ text, about }: { readonly text: string; readonly about?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    });
  };
  return (
    <div class="command">
      <code>{text}</code>
      {about === undefined ? null : <span class="dim">{about}</span>}
      <button class="quiet" onClick={copy} aria-label={`Copy: ${text}`}>
        <Icon name={copied ? "check" : "copy"} />
        <span class="command-copied" role="status">
          {copied ? "Copied" : "Copy"}
        </span>
      </button>
    </div>
  );
}
