/** Maven Surefire: `[ERROR] class.test -- Time elapsed: ... <<< FAILURE!`. */

const END = /(?: --|\)) {1,2}Time elapsed: [\d.]{1,12} s {1,2}<<< (?:FAILURE|ERROR)!$/;

export function* readMaven(lines: readonly string[]): Iterable<string> {
  for (const line of lines) {
    if (!line.startsWith("[ERROR] ") || !END.test(line)) continue;
    const name = line.slice("[ERROR] ".length).replace(END, "");
    // Older: `adds(com.acme.SumTest)  Time elapsed`; newer: `com.acme.SumTest.adds -- Time`.
    const open = line.includes(" -- Time elapsed: ") ? -1 : name.lastIndexOf("(");
    yield open < 0 ? name : `${name.slice(open + 1)}.${name.slice(0, open)}`;
  }
}
