/**
 * `unstuck service install|uninstall`: runs go on after a reboot, by a service of the user (systemd, launchd) that
 * resumes what was cut off. Writes one file, says which, and removes only that file.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { refuseInsideAttempt } from "../../operations/inside-attempt.ts";
import { openHome } from "../../operations/home.ts";
import { UsageError, write } from "../io.ts";

interface Service {
  readonly file: string;
  readonly text: string;
  readonly enable: readonly (readonly string[])[];
  readonly disable: readonly (readonly string[])[];
}

export function command(): Command {
  const service = new Command("service").description(
    "Resumes runs after a reboot, as a service of the user.",
  );
  service
    .command("install")
    .description("install the service of this user")
    .option("--print", "only print what would be written")
    .action((flags: { print?: boolean }) => {
      const { file, text, enable } = serviceOf();
      if (flags.print === true) return write(`# ${file}\n${text.trimEnd()}`);
      refuseInsideAttempt("service install");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      write(`wrote ${file}`);
      for (const words of enable) attempt(words);
    });
  service
    .command("uninstall")
    .description("remove it again")
    .action(() => {
      const { file, disable } = serviceOf();
      if (!existsSync(file)) return write("the service is not installed");
      for (const words of disable) attempt(words);
      rmSync(file);
      write(`removed ${file}`);
    });
  return service;
}

function attempt([program = "", ...args]: readonly string[]): void {
  try {
    execFileSync(program, args, { stdio: "ignore" });
  } catch {
    write(`could not run ${program} ${args.join(" ")}: do it yourself when the system allows`);
  }
}

function serviceOf(): Service {
  const { root } = openHome();
  const start = [process.execPath, process.argv[1] ?? "", "resume", "--all", "--only-cut-off"];
  if (process.platform === "linux") {
    const config = process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config");
    const quoted = start
      .map((word) => `"${word.replaceAll("%", "%%").replaceAll('"', '\\"')}"`)
      .join(" ");
    return {
      file: join(config, "systemd", "user", "unstuck.service"),
      text: `[Unit]\nDescription=Unstuck: go on with runs that were cut off\n\n[Service]\nType=oneshot\nRemainAfterExit=yes\nKillMode=none\nEnvironment="UNSTUCK_HOME=${root}"\nExecStart=${quoted}\n\n[Install]\nWantedBy=default.target\n`,
      enable: [
        ["systemctl", "--user", "daemon-reload"],
        ["systemctl", "--user", "enable", "unstuck.service"],
      ],
      disable: [["systemctl", "--user", "disable", "unstuck.service"]],
    };
  }
  if (process.platform === "darwin") {
    const file = join(homedir(), "Library", "LaunchAgents", "unstuck.plist");
    const strings = start.map((word) => `<string>${escapeXml(word)}</string>`).join("");
    return {
      file,
      text: `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>Label</key><string>unstuck</string><key>RunAtLoad</key><true/><key>AbandonProcessGroup</key><true/><key>EnvironmentVariables</key><dict><key>UNSTUCK_HOME</key><string>${escapeXml(root)}</string></dict><key>ProgramArguments</key><array>${strings}</array></dict></plist>\n`,
      enable: [["launchctl", "load", "-w", file]],
      disable: [["launchctl", "unload", "-w", file]],
    };
  }
  throw new UsageError(
    `there is no service for ${process.platform}: run \`unstuck resume --all\` after a start`,
  );
}

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
