/**
 * docs/messages.md: every sentence that the source can show a person, by file, so that all of them can be reviewed at
 * once. A message is a literal text of two words or more; placeholders are in braces. Omitted: what only agents read
 * (docs/prompts.md), rules, and the tests' own parts.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const PLACES = [
  "src/cli/**/*.ts",
  "src/operations/**/*.ts",
  "src/mcp/**/*.ts",
  "src/http/**/*.ts",
  "src/core/{kinds,amounts,system-faults}.ts",
  "src/core/{notify,plan,policy,report,run}/**/*.ts",
  "src/workspace/**/*.ts",
];

const WORDS = /[A-Za-z]{2,}['’]?[,.:;)]? [("'‘“{]{0,2}[A-Za-z]{2,}/;
/** For shells, not for people. */
const NO_MESSAGES = new Set(["src/cli/completion/scripts.ts"]);
/** Commands of git and the shell, patterns, and lists of names are not sentences. */
const NO_SENTENCE = /^(?:[-\w./]+ )?--?[a-z]|^[a-z-]+(?: [a-z-]+){8,}$|[\\^$]\(|^#!/;

export function messagesPage(root: string): string {
  const files = globSync(PLACES, { cwd: root }).map((file) => file.replaceAll("\\", "/"));
  const parts = files.sort().flatMap((file) => {
    if (NO_MESSAGES.has(file)) return [];
    const found = messagesIn(file, readFileSync(join(root, file), "utf8"));
    return found.length === 0
      ? []
      : ["", `## ${file.replace("src/", "")}`, "", ...found.map((text) => `- ${shown(text)}`)];
  });
  return [
    "# Messages",
    "",
    "Every sentence that Unstuck can show, by the file that says it. Read it aloud before a release: whatever sounds wrong is wrong. Written by `npm run docs`.",
    ...parts,
    "",
  ].join("\n");
}

export function messagesIn(file: string, source: string): readonly string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node, isMarkup: boolean): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    // Style sheets are skipped, and of markup only the text between the tags counts.
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "css") return;
    const literal = textOf(node);
    const text = isMarkup ? literal?.replaceAll(/<[^>]*>/g, " ") : literal;
    if (text !== undefined && WORDS.test(text) && !NO_SENTENCE.test(text)) found.add(text.trim());
    if (!isSum(node) || literal === undefined)
      ts.forEachChild(node, (child) => visit(child, ts.isTaggedTemplateExpression(node)));
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true), false);
  return [...found];
}

const isSum = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

/** Literals joined with + are one sentence. */
function textOf(node: ts.Node): string | undefined {
  if (isSum(node)) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    if (left === undefined && right === undefined) return undefined;
    return `${left ?? hole(node.left)}${right ?? hole(node.right)}`;
  }
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const { head, templateSpans } = node;
  return templateSpans.reduce(
    (text, { expression, literal }) => `${text}${hole(expression)}${literal.text}`,
    head.text,
  );
}

const hole = (node: ts.Node): string => `{${node.getText().replaceAll(/\s+/g, " ").slice(0, 40)}}`;

const shown = (text: string): string =>
  text
    .replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, "")
    .replace(/\s+/g, " ")
    .replaceAll(/([\\`*_<>[\]|#])/g, "\\$1");
