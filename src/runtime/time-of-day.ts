/** The time of day in a time zone, in minutes since midnight; quiet hours are expressed in it. */
export function minuteOfDay(at: number, timeZone: string): number {
  const style = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  const [hours = 0, minutes = 0] = new Intl.DateTimeFormat("en-GB", style)
    .format(at)
    .split(":")
    .map(Number);
  return hours * 60 + minutes;
}
