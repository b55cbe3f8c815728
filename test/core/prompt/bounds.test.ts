// proves: A4, B9, E6, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import { repairSteps } from "../../../src/core/repair/run-repair.ts";
import { cutMiddle } from "../../../src/core/foreign-text.ts";
import { formatReminder, subtaskPrompt } from "../../../src/core/prompt/subtask-prompt.ts";
import { escapeInline, labelled, quoted } from "../../../src/core/prompt/quoted.ts";
import { mutate, type MutationInput } from "../../../src/core/prompt/mutation.ts";
import type { PriorAttempt } from "../../../src/core/prompt/earlier-attempts.ts";
import { recoveryHints, retryContext } from "../../../src/core/prompt/earlier-attempts.ts";
import type { SubtaskPromptInput } from "../../../src/core/prompt/subtask-prompt.ts";

const BARE: SubtaskPromptInput = {
  goal: "Create login",
  checks: [],
  files: [],
  failing: [],
  failedApproaches: [],
  inputs: [],
  attempts: [],
};
const RULE =
  "If data you need is missing, report the gap. Never invent it and never put something else in its place.";
const long = "x".repeat(100_000);
const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `n${n + 1}.`);

test("a quotation of n characters has n - 24 for its text, whatever its ticks", () => {
  const room = "y".repeat(76);
  assert.equal(quoted(room, 100), `\`\`\`text\n${room}\n\`\`\``);
  assert.equal(quoted(`${room}y`, 100), `\`\`\`text\n${cutMiddle(`${room}y`, 76)}\n\`\`\``);
  assert.equal(quoted("any", 24), "```text\n\n```");
  assert.equal(quoted("any", 0), "```text\n\n```");
  const nine = "`".repeat(9);
  for (const ticks of [8, 9, 12, 60])
    assert.equal(quoted(`a${"`".repeat(ticks)}b`, 100), `${nine}text\na${"`".repeat(8)}b\n${nine}`);
});

test("a labelled text sets its further lines in and drops empty ones", () => {
  assert.equal(labelled("Error", "", 50), "  Error: ");
  assert.equal(labelled("Error", "one\n\n \ntwo\n", 50), "  Error: one\n    two");
  const cut = labelled("Error", long, 90);
  assert.equal(cut.length, 90);
  assert.ok(cut.startsWith("  Error: x") && cut.endsWith("xx"));
});

test("foreign words in a sentence are one line between ticks", () => {
  assert.equal(escapeInline("npm\n`test`"), "`npm 'test'`");
  assert.equal(escapeInline("x".repeat(201)), `\`${"x".repeat(199)}…\``);
});

test("of checks and files the first twenty are named, of failures the last twenty", () => {
  const many: MutationInput = {
    ...BARE,
    checks: names(21),
    files: names(21),
    failedApproaches: names(21).map((approach) => ({ approach })),
  };
  for (const mutation of ["rephrase", "decompose", "constrain"] as const) {
    const text = mutate(mutation, many);
    assert.ok(text.includes("`n20.`") && !text.includes("`n21.`"), mutation);
  }
  const files = mutate("constrain", many).split("The files:")[1] ?? "";
  assert.ok(files.includes("n20.") && !files.includes("n21."));
  const donts = mutate("negative", many);
  assert.ok(!donts.includes("don't: n1.\n") && donts.includes("don't: n2.\n"));
  assert.ok(donts.includes("don't: n21."));
});

test("what is foreign in a mutation is bounded: lists at 4,000, examples at 1,500", () => {
  const wide = Array.from({ length: 20 }, (_, n) => `${n} ${"word ".repeat(100)}`);
  const failedApproaches = wide.map((approach) => ({ approach, error: approach }));
  const fenced = (text: string): number => /```text\n[^]*\n```/.exec(text)?.[0].length ?? 0;
  assert.equal(fenced(mutate("negative", { ...BARE, failedApproaches })), 3_988);
  const failing = [{ name: "t", output: long }];
  assert.equal(fenced(mutate("examples", { ...BARE, failing })), 1_488);
  const listed = fenced(mutate("constrain", { ...BARE, files: wide }));
  assert.ok(listed > 3_000 && listed <= 4_000, `${listed}`);
});

test("hints keep within what they are given, and by default within 8,000", () => {
  const attempts = Array.from({ length: 20 }, (_, n) => ({
    attempt: n + 1,
    tier: 1,
    approach: "word ".repeat(100),
    error: "word ".repeat(100),
  }));
  const hints = recoveryHints(attempts.concat(attempts));
  assert.match(hints, /^Previous attempts: 40\n/);
  assert.ok(hints.length > 7_000 && hints.length <= 8_000, `${hints.length}`);
  assert.ok(recoveryHints(attempts, { maxChars: 1_000 }).length <= 1_000);
  assert.ok(recoveryHints(attempts.slice(0, 1)).includes("Attempt 1: word"));
  assert.equal(
    recoveryHints([{ attempt: 1, tier: 1, approach: "events", error: "boom" }]),
    "Previous attempts: 1\n\n```text\nAttempt 1: events - FAILED\n  Error: boom\n```",
  );
  assert.ok(recoveryHints(attempts.slice(0, 2)).includes("DIFFERENT"));
});

test("the comparison is with earlier attempts only, by whole errors, and never by what was not recorded", () => {
  type Told = Omit<PriorAttempt, "attempt" | "tier">;
  const of = (...attempts: readonly Told[]): string =>
    retryContext(attempts.map((one, n) => ({ attempt: n + 1, tier: 1, ...one })))
      .split("Take a different approach if needed.\n")[1]
      ?.split("\nIMPORTANT")[0] ?? "";
  const NEW = "Say first why the last one failed, then choose.";
  const SAME = "The last approach had failed before: it must not be used again.";
  const SHARED =
    "Another approach failed with the same error before: look for the cause they share.";
  const ALIKE = "Another approach failed in the same way before: look for the cause they share.";
  const begin = "x".repeat(400);
  assert.equal(of({ approach: "events", error: "boom" }), "");
  assert.equal(of({ approach: "events", error: "a" }, { approach: "events", error: "b" }), SAME);
  assert.equal(of({ approach: "events", error: "a" }, { approach: "queues", error: "a" }), SHARED);
  assert.equal(of({ approach: "events", error: "a" }, { approach: "queues", error: "b" }), NEW);
  assert.equal(
    of({ approach: "events", error: `${begin}1` }, { approach: "queues", error: `${begin}2` }),
    NEW,
    "a common beginning is not the same error",
  );
  assert.equal(of({ error: "a  b\n" }, { error: "a b" }), SHARED);
  assert.equal(of({ error: "a", signature: "s" }, { error: "b", signature: "s" }), ALIKE);
  assert.equal(of({ error: "a", signature: "" }, { error: "b", signature: "" }), NEW);
  assert.equal(of({ error: "a" }, { error: "b" }), NEW);
  assert.equal(of({ approach: "events" }, { approach: "queues" }), NEW);
  const other = { approach: "timers", error: "c", signature: "t" };
  const [one, again] = [
    { approach: "events", error: "a" },
    { approach: "queues", error: "a" },
  ];
  assert.equal(of(other, one, { ...one, error: "b" }), SAME);
  assert.equal(of(one, other, again), SHARED);
  assert.equal(of({ ...one, signature: "s" }, other, { error: "b", signature: "s" }), ALIKE);
});

test("older attempts share the room, equally, up to 500 characters each; fields share that", () => {
  const lines = Array.from({ length: 200 }, () => "y".repeat(20)).join("\n");
  const attempt = (n: number): PriorAttempt => ({ attempt: n, tier: 1, error: `${n}\n${lines}` });
  const blocks = (text: string): string[] =>
    (text.split("newest first\n")[1]?.split("\n```\n")[0] ?? "").split("\n\nAttempt");
  const three = [attempt(1), attempt(2), attempt(3)];
  const near = (text: string, length: number): void =>
    assert.ok(text.length <= length && text.length > length - 40, `${text.length} of ${length}`);
  const [, two = "", one = ""] = blocks(retryContext(three, { maxChars: 1_680 }));
  near(one, 398);
  near(two, 398);
  near(blocks(retryContext(three))[1] ?? "", 500);
  const [, both = ""] = blocks(
    retryContext([{ attempt: 1, tier: 1, feedback: lines, error: lines }, attempt(2)]),
  );
  const [feedback = 0, error = 0] = ["Verification feedback", "Error"].map((label) =>
    both.indexOf(`  ${label}: y`),
  );
  assert.ok(feedback > 0 && error - feedback > 180 && error - feedback < 240, both);
  const all = Array.from({ length: 9 }, (_, n) => attempt(n + 1));
  assert.ok(!retryContext(all, { maxChars: 1_560 }).includes("left out)"));
  assert.ok(retryContext(all, { maxChars: 1_559 }).includes("(1 earlier ones left out)"));
});

test("of a labelled text whole lines are left out, and their number is said", () => {
  const text = ["headline", ...names(20), "the end"].join("\n");
  const cut = labelled("Error", text, 90);
  assert.equal(
    cut,
    "  Error: headline\n    n1.\n    n2.\n    n3.\n    n4.\n    [16 lines left out]\n    the end",
  );
  assert.equal(labelled("Error", "one\ntwo", 200), "  Error: one\n    two");
});

test("a format reminder gives a quarter of its room to the reason, the rest to the schema", () => {
  const fences = (text: string): number[] =>
    [...text.matchAll(/```text\n[^]*?\n```/g)].map(([fenced]) => fenced.length);
  const [reason = 0, schema = 0] = fences(formatReminder({ error: long, schema: { long } }));
  assert.ok(Math.abs(reason - 1_433) <= 1 && Math.abs(schema - 4_323) <= 1, `${reason} ${schema}`);
  const small = formatReminder({ error: long, schema: { long } }, { maxChars: 1_000 });
  assert.ok(small.length <= 1_000 && small.length > 900, `${small.length}`);
});

test("a prompt's parts keep to their shares", () => {
  const part = (more: Partial<SubtaskPromptInput>): number =>
    subtaskPrompt({ ...BARE, maxChars: 10_000, ...more }).length -
    subtaskPrompt({ ...BARE, maxChars: 10_000 }).length;
  const near = (length: number, share: number): void =>
    assert.ok(
      length <= 10_000 * share + 2 && length > 10_000 * share - 30,
      `${length} of ${share}`,
    );
  near(part({ checks: [long] }), 0.06);
  near(part({ handover: long }), 0.12);
  near(part({ inputs: [{ name: "survey", content: long }] }), 0.28);
  const inputs = names(60).map((name) => ({ name, content: long }));
  assert.ok(part({ inputs }) <= 2_802);
  const told = subtaskPrompt({ ...BARE, inputs, maxChars: 400_000 });
  assert.ok(told.includes("n50.:\n") && !told.includes("n51.:\n"));
  assert.equal(subtaskPrompt({ ...BARE, maxChars: 4_000 }), `Create login\n\n${RULE}`);
  assert.ok(subtaskPrompt({ ...BARE, checks: [long] }).length > 2_800);
});

test("a model's rewriting stands in place of the template, where there is a mutation at all", () => {
  const rewritten = "Let people in";
  const prompt = (more: Partial<SubtaskPromptInput>): string =>
    subtaskPrompt({ ...BARE, ...more }).split(`\n\n${RULE}`)[0] ?? "";
  assert.equal(prompt({ mutation: "constrain", rewritten }), rewritten);
  assert.equal(prompt({ rewritten }), "Create login");
  assert.equal(prompt({ mutation: "constrain" }), mutate("constrain", BARE));
});

test("a repair is told after the checks and before a hand-over", () => {
  const error = "cat: src/confg.json: No such file or directory";
  const failed = { kind: "file_not_found", error } as const;
  const prompt = subtaskPrompt({
    ...BARE,
    checks: ["npm test"],
    handover: "half done",
    repair: (maxChars) => repairSteps(failed, "verify_path", maxChars),
  });
  const places = ["npm test", "This failure has a known repair", "half done"].map((words) =>
    prompt.indexOf(words),
  );
  assert.ok(places.every((place) => place > 0));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});
