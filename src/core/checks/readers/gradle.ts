/** Gradle: `SumTest > adds() FAILED`, if the build failed. */

export function* readGradle(lines: readonly string[]): Iterable<string> {
  if (!lines.some((line) => /^(?:BUILD FAILED|FAILURE: Build failed)/.test(line))) return;
  for (const line of lines)
    if (/^[\w.$]{1,300} > /.test(line) && line.endsWith(" FAILED")) yield line.slice(0, -7);
}
