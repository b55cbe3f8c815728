/** A user service (systemd, launchd) that resumes runs after a reboot: one file, and only that is removed. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { openHome } from "../home.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { operation, ProblemError } from "../operation.ts";

interface Service {
  readonly file: string;
  readonly text: string;
  readonly enable: readonly (readonly string[])[];
  readonly disable: readonly (readonly string[])[];
}

export type { ServiceChange } from "./schemas.ts";

export const installService = operation({
  name: "service-install",
  schemas: async () => (await import("./schemas.ts")).installService,
  run(_context, { dryRun }) {
    const { file, text, enable } = serviceOf();
    if (dryRun === true) return { file, text, changed: false, refused: [] };
    refuseInsideAttempt("service install");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return { file, text, changed: true, refused: enable.flatMap(refusedBySystem) };
  },
});

export const uninstallService = operation({
  name: "service-uninstall",
  schemas: async () => (await import("./schemas.ts")).uninstallService,
  run() {
    const { file, text, disable } = serviceOf();
    if (!existsSync(file)) return { file, text, changed: false, refused: [] };
    const refused = disable.flatMap(refusedBySystem);
    rmSync(file);
    return { file, text, changed: true, refused };
  },
});

function refusedBySystem([program = "", ...args]: readonly string[]): string[] {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return [];
  } catch {
    return [`${program} ${args.join(" ")}`];
  }
}

/** The path of this user's service file, if the system has such services. */
export function serviceFile(): string | undefined {
  if (process.platform === "linux") {
    const config = process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config");
    return join(config, "systemd", "user", "unstuck.service");
  }
  return process.platform === "darwin"
    ? join(homedir(), "Library", "LaunchAgents", "unstuck.plist")
    : undefined;
}

function serviceOf(): Service {
  const { root } = openHome();
  const start = [process.execPath, process.argv[1] ?? "", "resume", "--all", "--only-cut-off"];
  const file = serviceFile();
  if (file !== undefined && process.platform === "linux") {
    const quoted = start
      .map((word) => `"${word.replaceAll("%", "%%").replaceAll('"', '\\"')}"`)
      .join(" ");
    return {
      file,
      text: `[Unit]\nDescription=Unstuck: go on with runs that were cut off\n\n[Service]\nType=oneshot\nRemainAfterExit=yes\nKillMode=none\nEnvironment="UNSTUCK_HOME=${root}"\nExecStart=${quoted}\n\n[Install]\nWantedBy=default.target\n`,
      enable: [
        ["systemctl", "--user", "daemon-reload"],
        ["systemctl", "--user", "enable", "unstuck.service"],
      ],
      disable: [["systemctl", "--user", "disable", "unstuck.service"]],
    };
  }
  if (file !== undefined) {
    const strings = start.map((word) => `<string>${escapeXml(word)}</string>`).join("");
    return {
      file,
      text: `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>Label</key><string>unstuck</string><key>RunAtLoad</key><true/><key>AbandonProcessGroup</key><true/><key>EnvironmentVariables</key><dict><key>UNSTUCK_HOME</key><string>${escapeXml(root)}</string></dict><key>ProgramArguments</key><array>${strings}</array></dict></plist>\n`,
      enable: [["launchctl", "load", "-w", file]],
      disable: [["launchctl", "unload", "-w", file]],
    };
  }
  throw new ProblemError(
    "bad-input",
    `there is no service for ${process.platform}: run \`unstuck resume --all\` after a start`,
  );
}

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
