/** A failure for each of the 26 strategies of the chains, in which it can be used, with all permissions given. */
import type { Evidence } from "../../../src/core/evidence.ts";
import type { FailureToRepair } from "../../../src/core/repair/run-repair.ts";

interface Chosen extends FailureToRepair {
  readonly strategy: string;
}

const ALL = { sudo: "allow", install: "allow", delete: "allow" } as const;
const bash = (command: string) => ({ tool: "Bash", command });

const of = (
  kind: FailureToRepair["kind"],
  error: string,
  command: string,
  ...strategies: readonly string[]
): readonly Chosen[] =>
  strategies.map((strategy) => ({
    ...{ kind, error, call: bash(command), permissions: ALL, strategy },
  }));

/** Evidence of a failure of this kind, where it has a chain; with the words in which this strategy can be used. */
export function evidenceFor(kind: string, strategy?: string): Evidence {
  const found = EVERY_STRATEGY.find(
    (one) => one.kind === kind && (strategy ?? one.strategy) === one.strategy,
  );
  if (found === undefined) return {};
  const { call = {}, error } = found;
  return { ...call, message: error };
}

export const EVERY_STRATEGY: readonly Chosen[] = [
  ...of(
    "command_not_found",
    "bash: line 1: jq: command not found",
    "jq . package.json",
    "alternative_command",
    "manual_installation",
  ),
  ...of(
    "tool_not_found",
    "Error: unknown tool: repo_browser",
    "repo_browser src",
    "use_available_alternative",
    "decompose_into_basic_tools",
  ),
  ...of(
    "permission_denied",
    "bash: line 1: /etc/app.conf: Permission denied",
    "cp app.conf /etc/app.conf",
    "try_sandbox_directory",
  ),
  ...of(
    "permission_denied",
    "bash: line 1: scripts/build.sh: Permission denied",
    "scripts/build.sh --all",
    "check_permissions",
  ),
  ...of(
    "timeout",
    "Error: the command timed out after 30 s",
    "npm run build",
    "reduce_scope",
    "increase_timeout",
    "stream_results",
    "background_execution",
  ),
  ...of(
    "file_not_found",
    "cat: config/settings.yaml: No such file or directory",
    "cat config/settings.yaml",
    "verify_path",
    "create_missing_file",
  ),
  ...of(
    "invalid_arguments",
    "error: unrecognized option '--colour'",
    "tool build --colour always",
    "fix_parameter_types",
    "check_schema",
    "simplify_arguments",
  ),
  ...of(
    "syntax_error",
    "bash: -c: line 1: syntax error near unexpected token `|'",
    "ls | | wc -l",
    "fix_syntax",
    "use_simpler_command",
    "try_alternative_syntax",
  ),
  ...of(
    "network_error",
    "curl: (6) Could not resolve host: raw.githubusercontent.com",
    "curl -fLO https://raw.githubusercontent.com/acme/tool/main/data.json",
    "retry_with_backoff",
    "try_alternative_host",
    "use_cached_data",
  ),
  ...of(
    "rate_limited",
    "HTTP 429 Too Many Requests: rate limit exceeded, retry after 30 seconds",
    "curl -f https://api.example.com/items",
    "wait_and_retry",
    "reduce_request_frequency",
    "use_alternative_source",
  ),
  ...of(
    "disk_full",
    "tar: out/data.csv: Cannot write: No space left on device",
    "tar -xf data.tar",
    "clean_up_temp_files",
    "write_smaller_file",
  ),
];
