/** Which fleet commands are about, where the environment names one; else they are about this machine. */

export function fleetUrl(): string | undefined {
  const given = process.env["UNSTUCK_FLEET"] ?? "";
  return given === "" ? undefined : given;
}
