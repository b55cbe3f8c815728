/**
 * Cuts TOML into tables and entries, line by line, strings and brackets over several lines understood. Invariants:
 * linear time; undefined where it cannot be sure.
 */
import type { Entry, Section } from "./sections.ts";

const NAME = String.raw`"(?:[^"\\\n]|\\.){0,200}"|'[^'\n]{0,200}'`;
const HEADER = new RegExp(
  String.raw`^\uFEFF?[ \t]{0,40}(\[\[?)((?:[\w.\- \t]|${NAME}){1,400})\]\]?[ \t]{0,40}(?:#.*)?$`,
);
const KEY = new RegExp(String.raw`^\uFEFF?[ \t]{0,40}((?:[\w.\- \t]|${NAME}){1,400})=`);

interface Open {
  /** The marks that end a string over several lines. */
  quote: string;
  depth: number;
}

export function splitToml(text: string): readonly Section[] | undefined {
  const sections: { path: string; repeated: boolean; header: string; entries: Entry[] }[] = [
    { path: "", repeated: false, header: "", entries: [] },
  ];
  const open: Open = { quote: "", depth: 0 };
  let current: string[] = [];
  let key = "";
  const close = (): void => {
    if (current.length > 0) sections.at(-1)!.entries.push({ key, text: current.join("") });
    current = [];
  };
  for (const line of text.split(/(?<=\n)/)) {
    const fresh = open.quote === "" && open.depth === 0;
    const header = fresh ? HEADER.exec(line.replace(/\r?\n$/, "")) : null;
    if (header !== null) {
      close();
      key = "";
      const path = plainKey(header[2]!);
      sections.push({ path, repeated: header[1] === "[[", header: line, entries: [] });
      continue;
    }
    if (fresh) {
      const isBlank = /^\s*(?:#|$)/.test(line);
      const found = isBlank ? null : KEY.exec(line);
      if (!isBlank && found === null) return undefined;
      if (!isBlank || key !== "") close();
      key = found === null ? "" : plainKey(found[1]!);
    }
    if (!scan(line, open)) return undefined;
    current.push(line);
  }
  if (open.quote !== "" || open.depth !== 0) return undefined;
  close();
  return sections;
}

const plainKey = (key: string): string =>
  key
    .replace(/["'\s]/g, "")
    .replace(/\\u([\da-fA-F]{4})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );

/** Follows strings and brackets to the end of the line; false: not TOML as known here. */
function scan(line: string, open: Open): boolean {
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (open.quote !== "") {
      if (char === "\\" && open.quote === '"""') at += 1;
      else if (line.startsWith(open.quote, at)) {
        at += 2;
        for (let more = 0; more < 2 && line.charAt(at + 1) === open.quote.charAt(0); more += 1)
          at += 1;
        open.quote = "";
      }
    } else if (char === "#") return true;
    else if (char === '"' || char === "'") {
      if (line.startsWith(char.repeat(3), at)) {
        open.quote = char.repeat(3);
        at += 2;
        continue;
      }
      for (at += 1; at < line.length && line.charAt(at) !== char; at += 1)
        if (char === '"' && line.charAt(at) === "\\") at += 1;
      if (at >= line.length) return false;
    } else if (char === "[" || char === "{") open.depth += 1;
    else if (char === "]" || char === "}") open.depth -= 1;
    if (open.depth < 0) return false;
  }
  return true;
}
