/**
 * A process for one mutant that acts while its file loads: the mutant is active from the start, then the tests run file
 * by file. The request is a line of JSON on standard input, the answer a line on standard output that begins with
 * MUTANT.
 */
import { text } from "node:stream/consumers";
import { MutantRunStatus } from "@stryker-mutator/api/test-runner";
import { loadTests } from "./loaded-tests.ts";
import { tryMutant } from "./runner.ts";

interface Request {
  readonly activeMutant: string;
  readonly hitLimit?: number;
  readonly files: readonly string[];
  readonly ids: readonly string[];
}

const { activeMutant, hitLimit, files, ids } = JSON.parse(await text(process.stdin)) as Request;
const asked = new Set(ids);
let answer: Awaited<ReturnType<typeof tryMutant>> | undefined;
for (const file of files) {
  (globalThis as unknown as { __stryker__: { activeMutant: string } }).__stryker__.activeMutant =
    activeMutant;
  const tests = (await loadTests(file)).filter(({ id }) => asked.has(id));
  answer = await tryMutant({ activeMutant, hitLimit }, tests);
  if (answer.status !== MutantRunStatus.Survived) break;
}
process.stdout.write(`MUTANT ${JSON.stringify(answer)}\n`);
process.exit(0);
