/** The exact prompt of an attempt; what an earlier attempt was not told is marked with the recovery that brought it. */
import type { OutlinedAttempt } from "../api/operations.ts";
import { useReading } from "../api/reading.ts";
import { Empty, Read } from "../parts/states.tsx";
import { promptBlocks, type KeptPrompt } from "./prompt-lines.ts";

interface Props {
  readonly run: string;
  readonly at: string;
  /** Of its subtask. */
  readonly attempts: readonly OutlinedAttempt[];
  /** Why there was another one. */
  readonly began: (attempt: OutlinedAttempt) => string | undefined;
}

export function Prompt({ run, at, attempts, began }: Props) {
  const reason = ({ attempt: number, recovery }: KeptPrompt): string => {
    const attempt = attempts.find((one) => one.attempt === number);
    const why = recovery ?? (attempt === undefined ? undefined : began(attempt));
    return why === undefined ? "" : `: ${why}`;
  };
  const prompts = useReading("prompt", { run, at });
  return (
    <Read reading={prompts.value}>
      {(value) => {
        const blocks = promptBlocks(value.prompts);
        if (blocks.length === 0) return <Empty title="Its prompt was not kept" />;
        return (
          <div class="prompt panel">
            {blocks.map(({ text, since, isAnswer }, index) => (
              <div
                key={index}
                class="prompt-block"
                data-added={since === undefined ? undefined : ""}
              >
                {since === undefined ? null : (
                  <p class="prompt-since">
                    {isAnswer ? "Your answer, since" : "Since"} attempt {since.attempt}
                    {isAnswer ? "" : reason(since)}
                  </p>
                )}
                <pre>{text}</pre>
              </div>
            ))}
            {value.prompts.at(-1)?.cut === true ? <p class="dim">The rest is left out.</p> : null}
          </div>
        );
      }}
    </Read>
  );
}
