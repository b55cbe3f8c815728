/** The key that signs answer tokens: one per home. */
import { join } from "node:path";
import type { Home } from "../home.ts";
import { madeKeyFile } from "../key-file.ts";
import { textIfThere } from "../text.ts";

const FILE = "answer-key";

export function answerKey({ root }: Pick<Home, "root">): string {
  const file = join(root, FILE);
  return textIfThere(file)?.trim() || madeKeyFile(file).trim();
}
