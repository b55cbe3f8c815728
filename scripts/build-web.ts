/**
 * Bundles the page from web/ into dist/web: one script, one stylesheet, the worker that holds the event stream, and the
 * HTML. The page loads nothing from other hosts. `node scripts/run.js build-web` builds it alone.
 */
import { copyFileSync, mkdirSync } from "node:fs";
import { build, type Metafile } from "esbuild";

const OUT = "dist/web";

export async function buildWeb(): Promise<Metafile> {
  mkdirSync(OUT, { recursive: true });
  const { metafile } = await build({
    entryPoints: [
      { in: "web/main.tsx", out: "app" },
      { in: "web/styles/app.css", out: "app" },
      { in: "web/api/events-worker.ts", out: "events-worker" },
      { in: "web/insights/charts.ts", out: "insights" },
    ],
    outdir: OUT,
    bundle: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    metafile: true,
    logLevel: "warning",
    // Loaded when the charts are opened.
    external: ["/insights.js"],
  });
  for (const file of ["index.html", "icon.svg"]) copyFileSync(`web/${file}`, `${OUT}/${file}`);
  return metafile;
}

if (process.argv[1]?.endsWith("build-web.ts") === true) await buildWeb();
