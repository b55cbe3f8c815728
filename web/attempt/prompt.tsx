/**
 * The exact prompt of an attempt; text that earlier attempts did not have is marked with the recovery that added it.
 */
import type { OutlinedAttempt } from "../api/operations.ts";
import { useReading } from "../api/reading.ts";
import { Empty, Read } from "../parts/states.tsx";
import { promptBlocks, type KeptPrompt } from "./prompt-lines.ts";

interface Props {
  readonly run: string;
  readonly at: string;
  /** The attempts of its subtask. */
  readonly attempts: readonly OutlinedAttempt[];
  /** Why there was another attempt. */
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
