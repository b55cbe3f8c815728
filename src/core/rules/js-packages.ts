/** Packages that cannot be resolved or installed: JavaScript tools. */
import type { Rule } from "../classify/rule.ts";

export const JS_PACKAGES: readonly Rule[] = [
  {
    id: "npm-resolve",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.97,
    lines: String.raw`
      eintegrity,eresolve,etarget => \b(?:code |error )?(?:ERESOLVE|ETARGET|EINTEGRITY)\b
      ebadengine,ebadplatform => \b(?:code |error )?(?:EBADENGINE|EBADPLATFORM)\b
      epeerinvalid => \b(?:code |error )?EPEERINVALID\b
      eunsupportedprotocol => \b(?:code |error )?EUNSUPPORTEDPROTOCOL\b
      eduplicateworkspace,enoversions => \b(?:code |error )?(?:ENOVERSIONS|
      ... EDUPLICATEWORKSPACE)\b
    `,
    unless: String.raw`
      \bnpm (?:WARN|warn) EBADENGINE
    `,
    example: "npm error code ERESOLVE",
    nearMiss: "npm warn EBADENGINE Unsupported engine { package: 'cart' }",
  },
  {
    id: "npm-registry-404",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.9,
    ignoreCase: true,
    lines: String.raw`
      npm => \bnpm (?:ERR!|error) (?:code E404|404 )
      registry => \bis not in (?:this|the npm) registry
      matching => \bNo matching version found for\b
      couldn => \bCouldn't find (?:any versions for|package) "
      pnpm => \bERR_PNPM_(?:FETCH_404|NO_MATCHING_VERSION|NO_VERSIONS)
      404 => : Not found \(404\)
      package => \bpackage "?[@\w/.-]{1,80}"? not found in registry
      found => "https?:\/\/[^"]{1,200}: Not found"
      404,code => ^\d{1,5} error (?:code E404|404 )
    `,
    example: "npm error 404 'cartlib@*' is not in this registry.",
    nearMiss: "404 is a number in the registry office",
  },
  {
    id: "npm-lock-state",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.93,
    ignoreCase: true,
    lines: String.raw`
      install => \bThe \`npm ci\` command can only install with an existing
      packages => \`npm ci\` can only install packages when your package\.json
      lock => \bMissing: \S{1,120} from lock file
      lock => \bInvalid: lock file's \S
      pnpm => \bERR_PNPM_(?:OUTDATED_LOCKFILE|NO_LOCKFILE|FROZEN_LOCKFILE|LOCKFILE_\w{1,40})
      modified => \blockfile would have been modified by this install
      needs => \byour lockfile needs to be updated
      yn0002,yn0018,yn0028,yn0082 => \bYN00(?:28|18|02|82)\b
      lockfile => \blockfile had changes, but lockfile is frozen
      frozen => \bCannot install with "frozen-lockfile"
      present => \bpresent in your lockfile\b
      enotcached => \bENOTCACHED\b
    `,
    example: "error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.",
    nearMiss: "npm found a frozen river",
  },
  {
    id: "npm-peer",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.92,
    ignoreCase: true,
    lines: String.raw`
      dependency => \bunable to resolve dependency tree
      dependency => \bCould not resolve dependency:
      conflicting => \bConflicting peer dependency
      pnpm => \bERR_PNPM_(?:PEER_DEP_ISSUES|UNSUPPORTED_ENGINE)
      pnpm => \bERR_PNPM_(?:NO_PKG_MANIFEST_\w{1,20}|WORKSPACE_PKG_NOT_FOUND)
      engine => \bThe engine "\w{1,20}" is incompatible
      incompatible => \bYour Node version is incompatible with
      unmet => \bUnmet peer dependenc
      defines => \bThis project's package\.json defines "packageManager"
      engine => \bUnsupported engine\b.{0,60}wanted
    `,
    example: "npm error ERESOLVE unable to resolve dependency tree",
    nearMiss: "the peer said the engine was fine",
  },
  {
    id: "node-package-missing",
    kind: "dependency_error",
    level: "exact",
    confidence: 0.82,
    lines: String.raw`
      find => \bCannot find module '(?!\.{0,2}[/\\]|[A-Za-z]:\\|@\/|~\/)[\w@][^']{0,200}'
      find => \bCannot find package '(?!\.{0,2}[/\\]|[A-Za-z]:\\|@\/|~\/)[\w@][^']{0,200}'
      declaration => \bCould not find a declaration file for module
      path => \bERR_PACKAGE_PATH_NOT_EXPORTED
      subpath => \bPackage subpath '.{1,120}' is not defined by "exports"
    `,
    unless: String.raw`
      \berror TS\d
    `,
    example: "Error: Cannot find module 'express'",
    nearMiss: "Error: Cannot find module './express'",
  },
  {
    id: "js-plugin-missing",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.85,
    ignoreCase: true,
    lines: String.raw`
      couldn => \bESLint couldn't find the (?:plugin|config) "
      load => \bFailed to load (?:plugin|config|parser) '
      plugin,preset => \bCannot find (?:plugin|preset) "
      dependency => \bMISSING DEPENDENCY\b
      preset => \bPreset .{1,80} not found relative to
      validation => \bValidation Error:$
      dependency,first => \bPlease install .{1,60} (?:first|as a (?:dev )?dependency)\b
      modules => \bnode_modules (?:missing|not found|is missing)
      need => \bneed to install the following packages:
      determine => \bcould not determine executable to run\b
    `,
    example: 'ESLint couldn\'t find the plugin "eslint-plugin-cart".',
    nearMiss: "the plugin for the cart is here",
  },
  {
    id: "deno-bun-missing",
    kind: "dependency_error",
    level: "exact",
    confidence: 0.85,
    ignoreCase: true,
    lines: String.raw`
      prefixed => \bRelative import path ".{1,120}" not prefixed with
      jsr,npm => \berror: (?:Could not find|No) (?:npm|jsr) package
      package => \bnpm package '.{1,100}' does not exist
      package => \berror: package "[^"]{1,100}" not found
      matching => \bNo version matching "
      resolve => \berror: .{1,100} failed to resolve$
    `,
    example: 'error: No version matching "^9.0.0" found for specifier "cartlib"',
    nearMiss: "the import of cars",
  },
];
