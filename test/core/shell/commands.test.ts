// The one reader of shell text: commands and their words, where they stand, what they write to.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { shellCommands } from "../../../src/core/shell/commands.ts";
import { programOf } from "../../../src/core/shell/variables.ts";

const words = (text: string): readonly string[] =>
  shellCommands(text).map((command) => command.words.join("|").replaceAll("\0", "?"));

for (const [text, expected] of [
  ["npm test", ["npm|test"]],
  ["A=1 time npm test", ["A=1|time|npm|test"]],
  ["npm run 'a b' \"c d\" e\\ f''", ["npm|run|a b|c d|e f"]],
  ["a && b || c; d & e | f\ng", ["a", "b", "c", "d", "e", "f", "g"]],
  ["grep 'a; b' \"c && d\"", ["grep|a; b|c && d"]],
  ["echo a > out 2>&1 < in", ["echo|a"]],
  ["x &> log; y", ["x", "y"]],
  ["(a; b) | c", ["a", "b", "c"]],
  ["x $(make y) `make z`", ["make|y", "make|z", "x|?|?"]],
  ["A=b\nx $A ${C:-d} $E", ["A=b", "x|b|d|?"]],
  ["cat <<EOF | sh\nnpm test\nEOF\nmake", ["cat", "sh", "make"]],
  ["# a; b\nc # d", ["c"]],
  ["x 'open", ["x|open"]],
] as const)
  test(`the commands in ${JSON.stringify(text)}`, () => assert.deepEqual(words(text), expected));

for (const [text, writes] of [
  ["a > b", true],
  ["a >> b", true],
  ["a 2> b", true],
  ["a &> b", true],
  ["a >& b", true],
  ["a >| b", true],
  ["a > /dev/sda", true],
  ["a > /dev/null", false],
  ["a 2>/dev/null", false],
  ["a >&2", false],
  ["a 2>&1", false],
  ["a 2>&-", false],
  ["a < b", false],
  ["a '> b'", false],
  ["a -> b", true],
] as const)
  test(`${text} ${writes ? "writes" : "does not write"} a file`, () =>
    assert.equal(shellCommands(text)[0]?.writes, writes));

test("each command knows where it stands and what ends it", () => {
  const text = "  a b && c | d; e";
  assert.deepEqual(
    shellCommands(text).map(({ start, end, endedBy }) => [text.slice(start, end).trim(), endedBy]),
    [
      ["a b", "&&"],
      ["c", "|"],
      ["d", ";"],
      ["e", ""],
    ],
  );
});

test("folders follow cd, and come back after a subshell", () => {
  const moved = (folder: string, target: string): string => `${folder}/${target}`;
  assert.deepEqual(
    shellCommands("a; (cd x && b); cd y; c", { folder: ".", moved }).map(
      ({ words: [first], folder }) => `${folder} ${first}`,
    ),
    [". a", ". cd", "./x b", ". cd", "./y c"],
  );
});

test("keywords and assignments are no part of the program", () => {
  for (const [text, program] of [
    ["if ! test -f x", ["test", "-f", "x"]],
    ["A=1 B+=2 make x", ["make", "x"]],
    ["env -i A=1 make", ["make"]],
    ["export A=1", []],
    ["then", []],
    ["make A=1", ["make", "A=1"]],
  ] as const)
    assert.deepEqual(programOf(text.split(" ")).words, program, text);
});

test("words are what a shell would see", () => {
  const part = fc.constantFrom(
    ..."a -x 'b;c' \"d|e\" f\\g '' \"\" h=i \"l'm\" \\; \\& 'n'o".split(" "),
    "'p q'",
    " ",
    "\t",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const command = `x ${parts.join("")}`;
      const script = `set -- ${command}; printf '%s\\0' "$@"`;
      const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
      assert.deepEqual(stdout.split("\0").slice(0, -1), shellCommands(command)[0]?.words);
    }),
    { numRuns: 60 },
  );
});

test("any text is read, in linear time", () => {
  const piece = fc.constantFrom(
    ..."a ' \" ` $ ( ) < > & | ; # \\ { } = ${ $( << \n".split(" "),
    "\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      for (const command of shellCommands(pieces.join(""))) assert.ok(command.words.length > 0);
    }),
  );
  for (const one of ["$A", "$(", "`", "<<E\n", "'", '"', "(", "a=b;", "\\", "${a", "> "]) {
    const began = performance.now();
    shellCommands(one.repeat(100_000));
    assert.ok(performance.now() - began < 5_000, one);
  }
});

/** A command as it was meant, to be written down with any quotes and read back. */
interface Meant {
  readonly words: readonly string[];
  readonly redirection: string;
  readonly endedBy: string;
}

const LETTERS = "ab-/.=,:@%+é 'x\";&|<>()$`#~*\\{}";
const meantWord = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 8 });
const QUOTES: readonly ((word: string) => string)[] = [
  (word) => `'${word.replaceAll("'", "'\\''")}'`,
  (word) => `"${word.replace(/["$`\\]/g, "\\$&")}"`,
  (word) => (word === "" ? "''" : word.replace(/[^\w]/g, "\\$&")),
];
const INTO_FILE = [" > out", " >>'o t'", " 2> err", " &> all", " >| x", " >&y", " 2>z <in"];
const ELSEWHERE = ["", " < in", " >/dev/null", " 2>&1", " >&2", " 2>&-", " <<< word", " 0<in"];

test("whatever is written down as commands is read back", () => {
  const meant = fc.record({
    words: fc.array(meantWord, { minLength: 1, maxLength: 4 }),
    redirection: fc.constantFrom(...INTO_FILE, ...ELSEWHERE),
    endedBy: fc.constantFrom("&&", "||", ";", "|", "&", "\n"),
  });
  const style = fc.record({
    quotes: fc.array(fc.constantFrom(...QUOTES), { minLength: 1, maxLength: 3 }),
    gap: fc.constantFrom(" ", "  ", "\t", " \\\n"),
    isCommented: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(meant, { minLength: 1, maxLength: 5 }), style, (commands, how) => {
      const { quotes, gap, isCommented } = how;
      const write = ({ words: said, redirection, endedBy }: Meant): string =>
        said.map((word, at) => quotes[at % quotes.length]!(word)).join(gap) +
        redirection +
        (endedBy === "\n" && isCommented ? " # a; 'b\n" : ` ${endedBy}`);
      const text = `${commands.map(write).join(gap)} end`;
      assert.deepEqual(
        shellCommands(text).map((read) => [read.words, read.writes, read.endedBy]),
        [
          ...commands.map((one) => [one.words, INTO_FILE.includes(one.redirection), one.endedBy]),
          [["end"], false, ""],
        ],
      );
    }),
    { numRuns: 400 },
  );
});

test("what a variable was set to stands where it is used, split into words unless it is quoted", () => {
  for (const [text, expected] of [
    ["A='b  c'; x $A \"$A\" ${A}d", ["A=b  c", "x|b|c|b  c|b|cd"]],
    ["export A=b; local C=$A; x $C", ["export|A=b", "local|C=b", "x|b"]],
    ["env A=b x; cross-env C=d y; z $A$C", ["env|A=b|x", "cross-env|C=d|y", "z|bd"]],
    ["x ${A-b} ${A:-c} ${#A} $1 $? $", ["x|b|c|?|?|?|$"]],
    ["x '$A' \\$A \"\\$A\"", ["x|$A|$A|$A"]],
    ["A=; x $A y", ["A=", "x|y"]],
  ] as const)
    assert.deepEqual(words(text), expected, text);
});

test("substitutions stand inside words, here-documents are no commands, and what is never closed ends with the text", () => {
  for (const [text, expected] of [
    ['x "a $(b "c d") e"', ["b|c d", "x|a ? e"]],
    ["x a`b`c", ["b", "x|a?c"]],
    ["x $(a $(b) c) d", ["b", "a|?|c", "x|?|d"]],
    ["x <<A <<'B'\na; b\nA\nc\nB\nd", ["x", "d"]],
    ["x <<-A\n\ta\n\tA\nb", ["x", "b"]],
    ["x <<A\na", ["x"]],
    ["x $(a", ["a", "x|?"]],
    ["case x in a) b;; esac", ["b", "esac"]],
    ["x a#b # c", ["x|a#b"]],
    ["x 3> y", ["x"]],
  ] as const)
    assert.deepEqual(words(text), expected, text);
});

test("however long the text, what is read of it is bounded", () => {
  assert.equal(shellCommands("a;".repeat(20_000)).length, 4000);
  assert.equal(shellCommands("a ".repeat(20_000))[0]?.words.length, 4000);
  assert.ok(shellCommands(`${"a".repeat(300_000)}; b`).length === 1);
  const grown = shellCommands(`A=${"a".repeat(900)}; x "${"$A".repeat(500)}" ${"$A".repeat(500)}`);
  for (const word of grown[1]?.words ?? []) assert.ok(word.length <= 2000, String(word.length));
});
