// Starts a TypeScript script of this checkout: `node scripts/run.js test`. Plain JavaScript, because on an older Node
// it has to tell the user what to do; npm puts the pinned Node 24 of node_modules/.bin first.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This checkout runs its scripts on Node 24, which npm installs as a package; found Node ${process.versions.node}.\n` +
      "Run `npm ci` first. If install scripts are disabled, run `npm rebuild node esbuild --ignore-scripts=false`.",
  );
  process.exit(2);
}
const name = process.argv[2];
process.argv.splice(1, 2, `${import.meta.dirname}/${name}.ts`);
await import(`./${name}.ts`);
