/** A diff, file by file, with the changed words of a line marked. Large files stay closed until they are opened. */
import type { DiffFile, DiffLine } from "./diff-text.ts";
import { Icon } from "../parts/icons.tsx";

const OPEN_LINES = 400;
const LINES_MOST = 5000;

export const Diff = ({ files }: { readonly files: readonly DiffFile[] }) => (
  <div class="diff">
    {files.map((file) => (
      <File key={file.path} file={file} />
    ))}
  </div>
);

function File({ file: { path, added, removed, parts, note } }: { readonly file: DiffFile }) {
  const lines = parts.reduce((sum, part) => sum + part.lines.length, 0);
  return (
    <details class="diff-file panel" open={lines <= OPEN_LINES}>
      <summary>
        <Icon name="next" />
        <code>{path}</code>
        <span class="diff-counts">
          <span data-tone="good">+{added}</span> <span data-tone="failed">−{removed}</span>
        </span>
      </summary>
      {note === undefined ? null : <p class="dim diff-note">{note}</p>}
      {parts.map((part, index) => (
        <div key={index} class="diff-part" tabIndex={0} role="group" aria-label={`Part of ${path}`}>
          {part.head === "" && index === 0 ? null : <p class="diff-head">{part.head || "…"}</p>}
          {part.lines.slice(0, LINES_MOST).map((line, at) => (
            <Line key={at} line={line} />
          ))}
        </div>
      ))}
    </details>
  );
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

const Line = ({ line }: { readonly line: DiffLine }) => (
  <div class="diff-line" data-kind={line.kind}>
    <span class="diff-number" aria-hidden="true">
      {line.newNumber ?? line.oldNumber}
    </span>
    <span class="diff-sign">{SIGNS[line.kind]}</span>
    <code>{line.words === undefined ? line.text : marked(line.text, line.words)}</code>
  </div>
);

function marked(text: string, words: readonly (readonly [number, number])[]) {
  const pieces = [];
  let at = 0;
  for (const [from, to] of words) {
    pieces.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return [...pieces, text.slice(at)];
}
