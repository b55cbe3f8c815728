/** Prints the size of the library in a browser, minified and compressed. Needs `npm run build`. */
import { browserBundle, BUNDLES } from "../test/library/browser-bundle.ts";

for (const [name, { source, limit }] of Object.entries(BUNDLES)) {
  const { gzipBytes, modules } = await browserBundle(source);
  const size = `${(gzipBytes / 1000).toFixed(1)} KB of ${limit / 1000}`;
  console.log(`${name}: ${size}, ${modules.length} modules`);
}
