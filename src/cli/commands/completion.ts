/**
 * `unstuck completion`: the script that lets a shell complete commands, flags, runs, subtasks and attempts; and the
 * hidden command that the script asks. Invariant: what a script asks prints names only, never a problem.
 */
import { Argument, Command } from "commander";
import { knownNames } from "../../operations/completion/known-names.ts";
import { completeWords, FILES, type Table } from "../completion/complete-words.ts";
import { SCRIPTS, SHELLS, type Shell } from "../completion/scripts.ts";
import { perform } from "../io.ts";

const INSTALL = `
Install:
  bash   echo 'eval "$(unstuck completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(unstuck completion zsh)"' >> ~/.zshrc
  fish   unstuck completion fish > ~/.config/fish/completions/unstuck.fish`;

export function completion(): Command {
  return new Command("completion")
    .description(
      "Prints the script that lets your shell complete unstuck's commands, flags and runs.",
    )
    .addArgument(new Argument("<shell>").choices([...SHELLS]))
    .addHelpText("after", INSTALL)
    .action((shell: Shell) => void process.stdout.write(SCRIPTS[shell]));
}

/** Called by the scripts: `__complete -- WORD...`, the last of them the one to be completed. */
export function complete(table: Table): Command {
  return new Command("__complete")
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: readonly string[]) => {
      const namesOf = async (asked: Parameters<typeof knownNames.run>[1]) =>
        (await perform(knownNames, asked)).names;
      const found = await completeWords(table, words, namesOf).catch(() => []);
      if (found === FILES) process.stdout.write(":files\n");
      else for (const { name, about } of found) process.stdout.write(`${name}\t${about}\n`);
    });
}
