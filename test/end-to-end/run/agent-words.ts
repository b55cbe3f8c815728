/** What an agent with typed output prints: its start, its words, its result with what it used. Invented values. */

const SESSION = "0d9c5f1e-5f4e-4b9a-9d0e-000000000001";

export interface Told {
  readonly words: string;
  /** The result says that it failed, whatever the exit code. */
  readonly failed?: boolean;
  readonly tokens?: number;
  readonly usd?: number;
}

export function typedOutput({ words, failed = false, tokens = 10, usd = 0 }: Told): string {
  const message = { role: "assistant", content: [{ type: "text", text: words }] };
  const lines = [
    { type: "system", subtype: "init", session_id: SESSION, tools: [] },
    { type: "assistant", message, session_id: SESSION },
    {
      ...{ type: "result", subtype: "success", is_error: failed, result: words },
      ...{ session_id: SESSION, total_cost_usd: usd },
      usage: { input_tokens: tokens, output_tokens: 0 },
    },
  ];
  return lines.map((line) => JSON.stringify(line)).join("\n");
}
