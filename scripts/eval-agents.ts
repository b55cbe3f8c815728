/**
 * `npm run eval:agents`: how Unstuck judges the real outputs of real agents under faults, read from
 * $UNSTUCK_CASES/agents (default ../shared). Each row goes through its report reader, the loop watch and the runtime's
 * own rules; the kind must be one of the accepted ones. `--loose` reads them as output of unknown agents: how the
 * `command` agent generalises. `--json` for programs. Exits 1 below 97 %, 2 without the cases.
 */
import { agentCasesIn, type AgentCase } from "./eval/agent-cases.ts";
import { judged, verdictOf } from "./eval/agent-verdict.ts";

const TARGET = 0.97;
const loose = process.argv.includes("--loose");
const folder = process.env["UNSTUCK_CASES"] ?? "../shared";
const found = agentCasesIn(folder);
if (!found.ok) {
  console.error(found.problem);
  process.exit(2);
}

interface Row extends AgentCase {
  readonly kind: string;
  readonly because: string;
  readonly right: boolean;
}

const rows: readonly Row[] = found.cases.map((one) => {
  const { kind, because } = verdictOf(judged(one, loose));
  return { ...one, kind, because, right: one.accepted.includes(kind) };
});
const right = rows.filter((row) => row.right).length;
const share = rows.length === 0 ? 0 : right / rows.length;
/** The agent claimed to be done; whether it was is for the checks to decide, here by the task's file. */
const claims = rows.filter((row) => row.kind === "finished");
const empty = claims.filter((row) => !row.made);
const fooled = empty.filter((row) => !row.right);

function printTable(): void {
  for (const cli of new Set(rows.map((row) => row.cli))) {
    const own = rows.filter((row) => row.cli === cli);
    console.log(`${cli}: ${own.filter((row) => row.right).length} of ${own.length} right`);
    for (const { fault, kind, right: ok, because } of own)
      console.log(`  ${ok ? " " : "x"} ${fault.padEnd(22)} ${kind.padEnd(18)} ${because}`);
  }
  console.log(
    `\nall: ${right} of ${rows.length} rows right, ${(share * 100).toFixed(1)} % (target 97 %)`,
  );
  for (const { cli, fault, kind, accepted } of rows.filter((row) => !row.right))
    console.log(`wrong: ${cli} ${fault}: ${kind}, accepted ${accepted.join(" or ")}`);
  console.log(
    `finished by its own word: ${claims.length}; the check then verifies ` +
      `${claims.length - empty.length} and fails the ${empty.length} where nothing was done; ` +
      `of these, failed turns taken for finished ones: ${fooled.length}`,
  );
}

if (process.argv.includes("--json"))
  console.log(
    JSON.stringify({ rows: rows.length, right, share, wrong: rows.filter((row) => !row.right) }),
  );
else printTable();
process.exitCode = share >= TARGET ? 0 : 1;
