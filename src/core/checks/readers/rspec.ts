/** RSpec: the `rspec file:line # description` lines after `Failed examples:`. */

// rspec ./spec/sum_spec.rb:12 # Sum adds two numbers
const EXAMPLE = /^rspec (?:\.\/)?(\S{1,400}) # (.{1,500})$/;
const PLACE = /(?::\d{1,7}|\[[\d:]{1,60}\])$/;

export function* readRspec(lines: readonly string[]): Iterable<string> {
  const start = lines.indexOf("Failed examples:");
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    const [, file, description] = EXAMPLE.exec(line) ?? [];
    if (file !== undefined && description !== undefined)
      yield `${file.replace(PLACE, "")} ${description}`;
  }
}
