// The types as a user of the package meets them: a small consumer is compiled against what was built. Needs `npm run build`.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import ts from "typescript";

const folder = mkdtempSync(join(tmpdir(), "unstuck-types-"));
mkdirSync(join(folder, "node_modules"));
symlinkSync(process.cwd(), join(folder, "node_modules", "unstuck"), "dir");
after(() => rmSync(folder, { recursive: true }));

const CONSUMER = `
import { classify, createRecovery, createStuckDetector, PRESETS } from "unstuck";
import type { LadderPolicy, NextMove, RecoveryMemory, Step, TaskRecovery } from "unstuck";
import { standardRules } from "unstuck/rules";
import { decide, ladder, NEW_RUN } from "unstuck/core";
import { validateToolCall } from "unstuck/validate";

export async function loop(task: string, agent: (prompt: string) => Promise<string>, steps: Step[]) {
  const policy: LadderPolicy = { ...PRESETS.standard, name: "mine" };
  const recovery: TaskRecovery = createRecovery({ policy, rules: standardRules(), limits: { attempts: 3 } });
  const memory: RecoveryMemory = recovery.toJSON();
  const detector = createStuckDetector();
  const verdict = steps.map((step) => detector.step(step)).at(-1);
  let next: NextMove = recovery.failed(verdict, { prompt: task });
  try {
    return await agent(task);
  } catch (error) {
    next = createRecovery({ memory }).failed(error, { prompt: task, failing: ["a test"] });
  }
  switch (next.kind) {
    case "again": return next.prompt.length;
    case "wait": return next.ms;
    case "ask": return next.question + recovery.answered("yes").prompt;
    case "give-up": return next.because + classify({ exitCode: 1 }).kind;
    default: return next satisfies never;
  }
}

// @ts-expect-error a prompt is needed
createRecovery().failed(new Error("no"), {});
// @ts-expect-error an option that is not there
createRecovery({ retries: 3 });
// @ts-expect-error the union must be looked into first
export const text: string = createRecovery().failed("no", { prompt: "" }).prompt;
// @ts-expect-error a recovery that is not there
createRecovery({ policy: { ...PRESETS.standard, rungs: [{ id: "a", do: "pray" }] } });

export const state = decide(NEW_RUN, { kind: "cancel-requested", reason: "", at: 0, chance: 0 }, ladder(PRESETS.standard), standardRules()).state.phase;
export const valid: boolean = validateToolCall("{}", []).valid;
`;

function problemsOf(source: string, options: ts.CompilerOptions): readonly string[] {
  const file = join(folder, "consumer.mts");
  writeFileSync(file, source);
  const program = ts.createProgram([file], {
    ...{ strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, types: [] },
    ...options,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

const { NodeNext, ESNext } = ts.ModuleKind;
const bundler = { module: ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

const CONSUMERS: Readonly<Record<string, ts.CompilerOptions>> = {
  "a bundler, for the browser": { ...bundler, lib: ["lib.es2023.d.ts", "lib.dom.d.ts"] },
  Node: { module: NodeNext, exactOptionalPropertyTypes: true },
};

for (const [name, options] of Object.entries(CONSUMERS))
  test(`a consumer compiles: ${name}`, () => {
    assert.deepEqual(problemsOf(CONSUMER, { ...options, skipLibCheck: true }), []);
  });

test("the types of unstuck and unstuck/rules need no types of other packages", () => {
  const source = 'export * from "unstuck"; export { standardRules } from "unstuck/rules";';
  const lib = ["lib.es2023.d.ts"];
  assert.deepEqual(problemsOf(source, { ...bundler, lib, skipLibCheck: false }), []);
});
