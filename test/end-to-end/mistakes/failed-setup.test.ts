// proves: P4, U20
// A set-up that fails is told by its cause and not by the end of its output: on the screen, in the inbox, as JSON.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { repository, type Repository } from "../run/repository.ts";
import { failuresOf } from "../run/runs.ts";

const SAYS = [
  "npm error code EUSAGE",
  "npm error",
  "npm error npm ci can only install packages when package.json and package-lock.json are in sync.",
  "npm error",
  "npm error Missing: left-pad@1.3.0 from lock file",
  "npm error",
  "npm error Usage:",
  "npm error npm ci",
  "npm error",
  "npm error Options:",
  ...Array.from({ length: 12 }, (_, index) => `npm error [--option-${index}] [--another-${index}]`),
  'npm error Run "npm help ci" for more info',
  "npm error A complete log of this run can be found in: /home/me/.npm/_logs/debug-0.log",
];
const SETUP = `cat >&2 <<'END'\n${SAYS.join("\n")}\nEND\nexit 1\n`;
const RUN = ["run", "--goal", "g", "--no-grounding", "--agent", "sh -c true"];

function inProject(body: (here: Repository) => void): void {
  const here = repository({ "install.sh": SETUP, "value.txt": "1\n" });
  try {
    body(here);
  } finally {
    here.remove();
  }
}

test("a set-up that fails on the base", () =>
  inProject((here) => {
    const ran = here.unstuck(...RUN, "--setup", "sh install.sh", "--check", "true");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.match(ran.out, /set-up failed: npm ci can only install packages when package\.json/);
    assert.doesNotMatch(ran.out + ran.err, /npm help|option-11|complete log/);
    const { question, context } = JSON.parse(here.unstuck("inbox", "--json").out) as {
      question: string;
      context: { error: string };
    };
    assert.match(question, /^Checks cannot run: set-up failed: npm ci can only install/);
    assert.match(
      context.error,
      /^sh install\.sh: set-up failed: .*in sync\.\nMissing: left-pad@1\.3\.0/,
    );
    assert.doesNotMatch(context.error, /npm error|npm help|option-|complete log/);
  }));

test("a set-up that fails before an attempt", inLargeForm("run"), () =>
  inProject((here) => {
    const ran = here.unstuck(...RUN, "--setup", "sh install.sh");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.match(ran.out, /sh install\.sh: npm ci can only install packages when/);
    assert.doesNotMatch(ran.out, /npm help|option-11|complete log/);
    assert.ok(failuresOf(here.events()).length > 0);
  }),
);
