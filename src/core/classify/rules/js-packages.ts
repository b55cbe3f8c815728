/**
 * Packages that cannot be resolved or installed: JavaScript tools. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const JS_PACKAGES: readonly Rule[] = [
  {
    id: "npm-resolve",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.97,
    words: ["ebadengine", "ebadplatform", "eduplicateworkspace", "eintegrity", "enoversions", "epeerinvalid", "eresolve", "etarget", "eunsupportedprotocol"],
    pattern:
      /\b(?:code |error )?(?:ERESOLVE|ETARGET|EINTEGRITY|EBADENGINE|EBADPLATFORM|EPEERINVALID|EUNSUPPORTEDPROTOCOL|ENOVERSIONS|EDUPLICATEWORKSPACE)\b/,
    except: /\bnpm (?:WARN|warn) EBADENGINE/,
    example: "npm error code ERESOLVE",
    nearMiss: "npm warn EBADENGINE Unsupported engine { package: 'cart' }",
  },
  {
    id: "npm-registry-404",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.9,
    words: ["404", "code", "couldn", "found", "matching", "npm", "package", "pnpm", "registry"],
    pattern:
      /\bnpm (?:ERR!|error) (?:code E404|404 )|\bis not in (?:this|the npm) registry|\bNo matching version found for\b|\bCouldn't find (?:any versions for|package) "|\bERR_PNPM_(?:FETCH_404|NO_MATCHING_VERSION|NO_VERSIONS)|: Not found \(404\)|\bpackage "?[@\w/.-]{1,80}"? not found in registry|"https?:\/\/[^"]{1,200}: Not found"|^\d{1,5} error (?:code E404|404 )/i,
    example: "npm error 404 'cartlib@*' is not in this registry.",
    nearMiss: "404 is a number in the registry office",
  },
  {
    id: "npm-lock-state",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.93,
    words: ["enotcached", "frozen", "install", "lock", "lockfile", "modified", "needs", "packages", "pnpm", "present", "yn0002", "yn0018", "yn0028", "yn0082"],
    pattern:
      /\bThe `npm ci` command can only install with an existing|\b`npm ci` can only install packages when your package\.json|\bMissing: \S{1,120} from lock file|\bInvalid: lock file's \S|\bERR_PNPM_(?:OUTDATED_LOCKFILE|NO_LOCKFILE|FROZEN_LOCKFILE|LOCKFILE_\w{1,40})|\blockfile would have been modified by this install|\byour lockfile needs to be updated|\bYN00(?:28|18|02|82)\b|\blockfile had changes, but lockfile is frozen|\bCannot install with "frozen-lockfile"|\bpresent in your lockfile\b|\bENOTCACHED\b/i,
    example: "error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.",
    nearMiss: "npm found a frozen river",
  },
  {
    id: "npm-peer",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.92,
    words: ["conflicting", "defines", "dependency", "engine", "incompatible", "pnpm", "unmet"],
    pattern:
      /\bunable to resolve dependency tree|\bCould not resolve dependency:|\bConflicting peer dependency|\bERR_PNPM_(?:PEER_DEP_ISSUES|UNSUPPORTED_ENGINE|NO_PKG_MANIFEST_\w{1,20}|WORKSPACE_PKG_NOT_FOUND)|\bThe engine "\w{1,20}" is incompatible|\bYour Node version is incompatible with|\bUnmet peer dependenc|\bThis project's package\.json defines "packageManager"|\bUnsupported engine\b.{0,60}wanted/i,
    example: "npm error ERESOLVE unable to resolve dependency tree",
    nearMiss: "the peer said the engine was fine",
  },
  {
    id: "node-package-missing",
    kind: "dependency_error",
    level: "exact",
    confidence: 0.82,
    words: ["declaration", "find", "path", "subpath"],
    pattern:
      /\bCannot find (?:module|package) '(?!\.{0,2}[/\\]|[A-Za-z]:\\|@\/|~\/)[\w@][^']{0,200}'|\bCould not find a declaration file for module|\bERR_PACKAGE_PATH_NOT_EXPORTED|\bPackage subpath '.{1,120}' is not defined by "exports"/,
    except: /\berror TS\d/,
    example: "Error: Cannot find module 'express'",
    nearMiss: "Error: Cannot find module './express'",
  },
  {
    id: "js-plugin-missing",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.85,
    words: ["couldn", "dependency", "determine", "first", "load", "modules", "need", "plugin", "preset", "validation"],
    pattern:
      /\bESLint couldn't find the (?:plugin|config) "|\bFailed to load (?:plugin|config|parser) '|\bCannot find (?:plugin|preset) "|\bMISSING DEPENDENCY\b|\bPreset .{1,80} not found relative to|\bValidation Error:$|\bPlease install .{1,60} (?:first|as a (?:dev )?dependency)\b|\bnode_modules (?:missing|not found|is missing)|\bneed to install the following packages:|\bcould not determine executable to run\b/i,
    example: 'ESLint couldn\'t find the plugin "eslint-plugin-cart".',
    nearMiss: "the plugin for the cart is here",
  },
  {
    id: "deno-bun-missing",
    kind: "dependency_error",
    level: "exact",
    confidence: 0.85,
    words: ["jsr", "matching", "npm", "package", "prefixed", "resolve"],
    pattern:
      /\bRelative import path ".{1,120}" not prefixed with|\berror: (?:Could not find|No) (?:npm|jsr) package|\bnpm package '.{1,100}' does not exist|\berror: package "[^"]{1,100}" not found|\bNo version matching "|\berror: .{1,100} failed to resolve$/i,
    example: 'error: No version matching "^9.0.0" found for specifier "cartlib"',
    nearMiss: "the import of cars",
  },
];
