/** The fleet that commands are about if the environment names one; otherwise they are about this machine. */

export function fleetUrl(): string | undefined {
  const given = process.env["UNSTUCK_FLEET"] ?? "";
  return given === "" ? undefined : given;
}
