/** Bundles of the built package for a browser, as somebody who uses it would make them. Needs `npm run build`. */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

export interface BrowserBundle {
  /** A script that sets the global `unstuck`. */
  readonly code: string;
  readonly gzipBytes: number;
  /** The modules of which something is in it. */
  readonly modules: readonly string[];
}

export async function browserBundle(source: string): Promise<BrowserBundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    platform: "browser",
    format: "iife",
    globalName: "unstuck",
    logLevel: "silent",
    metafile: true,
    write: false,
  });
  const [output] = Object.values(metafile.outputs);
  const code = outputFiles[0]?.text ?? "";
  return {
    code,
    gzipBytes: gzipSync(code, { level: 9 }).length,
    modules: Object.entries(output?.inputs ?? {}).flatMap(([module, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [module] : [],
    ),
  };
}

const KB = 1000;

/** What people pay for; the limits are part of what the library promises. */
export const BUNDLES: Readonly<
  Record<string, { readonly source: string; readonly limit: number }>
> = {
  createRecovery: { source: 'export { createRecovery } from "unstuck";', limit: 40 * KB },
  "createRecovery with unstuck/rules": {
    source: 'export * from "unstuck/rules"; export { createRecovery } from "unstuck";',
    limit: 170 * KB,
  },
  createStuckDetector: { source: 'export { createStuckDetector } from "unstuck";', limit: 30 * KB },
  "all of unstuck": { source: 'export * from "unstuck";', limit: 60 * KB },
};
