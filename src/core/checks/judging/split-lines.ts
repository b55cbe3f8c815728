/**
 * Cuts INI files into sections and entries, and YAML into its top-level entries. Invariants: linear time; what is
 * indented belongs to the entry before it.
 */
import type { Entry, Section } from "./sections.ts";

const INI_HEADER = /^\[([^\]\n]{1,200})\]/;
const INI_KEY = /^([^\s#;[=:][^=:\n]{0,200})[=:]/;
const YAML_KEY = /^["']?([A-Za-z][\w-]{0,100})["']?[ \t]{0,10}:/;

export const splitIni = (text: string): readonly Section[] => split(text, INI_KEY, INI_HEADER);

export const splitYaml = (text: string): readonly Section[] => split(text, YAML_KEY, undefined);

function split(text: string, keys: RegExp, headers: RegExp | undefined): readonly Section[] {
  const sections: { path: string; repeated: false; header: string; entries: Entry[] }[] = [
    { path: "", repeated: false, header: "", entries: [] },
  ];
  let current: string[] = [];
  let key = "";
  const close = (next: string): void => {
    if (current.length > 0) sections.at(-1)!.entries.push({ key, text: current.join("") });
    current = [];
    key = next;
  };
  for (const line of text.split(/(?<=\n)/)) {
    const header = headers?.exec(line);
    const found = keys.exec(line);
    if (header !== null && header !== undefined) {
      close("");
      sections.push({ path: header[1]!.trim(), repeated: false, header: line, entries: [] });
      continue;
    }
    if (found !== null) close(found[1]!.trim());
    else if (/^\S/.test(line) && key !== "") close("");
    current.push(line);
  }
  close("");
  return sections;
}
