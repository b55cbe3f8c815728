/**
 * Serves the page's files from `dist/web`. Invariants: files are read once, when the server starts, and found by name
 * only, so no path leads out of that folder; every other path returns the page itself, which has its own routes; the
 * browser is told to load nothing from other hosts.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json; charset=utf-8",
};

interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

export interface Page {
  /** The response to a GET or HEAD outside /api. */
  readonly answer: (request: Request) => Response;
}

const INDEX = "index.html";

export function pageFrom(folder: string): Page {
  const files = new Map(pageFiles(folder));
  return {
    answer(request) {
      const name = new URL(request.url).pathname.slice(1);
      const file = files.get(name) ?? (isRoute(name) ? files.get(INDEX) : undefined);
      if (file === undefined)
        return new Response(
          files.size === 0 ? "This build of Unstuck has no page.\n" : "not found\n",
          { status: 404 },
        );
      const isSame = request.headers.get("if-none-match") === file.etag;
      const isCompressed = (request.headers.get("accept-encoding") ?? "").includes("br");
      const headers = {
        "content-type": file.type,
        "cache-control": "no-cache",
        vary: "accept-encoding",
        etag: file.etag,
        ...(isCompressed && !isSame ? { "content-encoding": "br" } : {}),
      };
      if (isSame) return new Response(null, { status: 304, headers });
      return new Response(isCompressed ? file.compressed : file.bytes, { headers });
    },
  };
}

/** Routes of the page have no file extension; a name with one is a missing file. */
const isRoute = (name: string): boolean => extname(name) === "" || name.startsWith("runs/");

function pageFiles(folder: string): readonly (readonly [string, PageFile])[] {
  return namesIn(folder).flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const bytes = new Uint8Array(readFileSync(join(folder, name)));
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 5 };
    const compressed = new Uint8Array(brotliCompressSync(bytes, { params: quality }));
    const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;
    return [[name, { type, bytes, compressed, etag }] as const];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
