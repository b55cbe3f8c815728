/** `unstuck limit`: how many attempts of a repository, an agent or a provider a fleet runs at a time. */
import { Command } from "commander";
import { limitFleet } from "../../operations/fleet/limit-fleet.ts";
import type { InputOf, OutputOf } from "../../operations/operation.ts";
import { perform, write, writeJson, type Flags } from "../io.ts";
import { numberOf, UsageError } from "../read-input.ts";

type Limit = OutputOf<typeof limitFleet>["limits"][number];

const LIMITED = ["repository", "agent", "provider"] as const;

/** An option of every fleet command. */
export const URL_OPTION = [
  "--url <address...>",
  "where the engine is; default: UNSTUCK_FLEET, else http://127.0.0.1:8080",
] as const;

export function limit(): Command {
  return new Command("limit")
    .description(
      "Limits attempts over all workers of a fleet: so many at once (8), so many that begin\n" +
        "within a minute (30/min), or both. What is under way goes on. Workers lists the limits.",
    )
    .argument("<what>", LIMITED.join(", "))
    .argument("<name>", "which one; '*': each of them for itself")
    .argument("<amount...>", "8, 30/min, or none")
    .option(...URL_OPTION)
    .option("--json", "as JSON")
    .action(
      async (
        what: string,
        name: string,
        amounts: string[],
        { json, url }: Flags<{ url?: string[] }>,
      ) => {
        const by = LIMITED.find((one) => one === what);
        if (by === undefined)
          throw new UsageError(`there is no limit of ${what}: ${LIMITED.join(", ")}`);
        const input = { by, name, ...amountsOf(amounts), ...(url === undefined ? {} : { url }) };
        const { limits } = await perform(limitFleet, input);
        if (json === true) return writeJson({ limits });
        for (const one of limits) write(limitWords(one));
        if (limits.length === 0) write("there are no limits");
      },
    );
}

function amountsOf(
  words: readonly string[],
): Pick<InputOf<typeof limitFleet>, "atOnce" | "perMinute"> {
  if (words.join() === "none") return {};
  const rates = words.filter((word) => word.endsWith("/min"));
  const counts = words.filter((word) => !word.endsWith("/min"));
  if (rates.length > 1 || counts.length > 1)
    throw new UsageError("a limit is one number at once, one number a minute (30/min), or none");
  const [rate, count] = [rates[0]?.slice(0, -"/min".length), counts[0]];
  return {
    ...(count === undefined ? {} : { atOnce: numberOf("amount", count, 0, 100_000) }),
    ...(rate === undefined ? {} : { perMinute: numberOf("amount", rate, 1, 10_000) }),
  };
}

export function limitWords({ by, name, atOnce, perMinute }: Limit): string {
  const parts = [
    ...(atOnce === undefined ? [] : [`${atOnce} at once`]),
    ...(perMinute === undefined ? [] : [`${perMinute} a minute`]),
  ];
  return `limit: ${name === "*" ? `each ${by}` : `${by} ${name}`}  ${parts.join(", ")}`;
}
