/** Python and JavaScript packages that cannot be resolved or installed. */
import { rule, type Rule } from "../classify/rule.ts";

export const PYTHON_AND_JS_PACKAGES: readonly Rule[] = [
  rule("uv-no-solution", "dependency_error", "typed", 0.95, {
    ignoreCase: true,
    lines: String.raw`
      solution => \bNo solution found when resolving
      requirements => \brequirements are unsatisfiable
      solving => \bversion solving failed
      conclude => \bwe can conclude that .{1,200}(?:unsatisfiable|incompatible)
      incompatible => \bwhich are incompatible\b
      incompatible => \bbut you have \S{1,80} \S{1,40} which is incompatible\b
    `,
  }),
  rule("pip-no-match", "dependency_error", "typed", 0.94, {
    ignoreCase: true,
    lines: String.raw`
      satisfies => \bCould not find a version that satisfies the requirement
      distribution => \bNo matching distribution found
      resolutionimpossible => \bResolutionImpossible\b
      conflicting => \bhas conflicting dependencies
      these => \bbecause these package versions have conflicting
      resolver => \bdependency resolver does not currently
      conflict => ^The conflict is caused by
      requirements => \bRequirements contain conflicting
      dependency => \bdependency conflicts?\b
    `,
  }),
  rule("python-module-missing", "dependency_error", "exact", 0.86, {
    lines: String.raw`
      modulenotfounderror => \bModuleNotFoundError: No module named
      importerror => \bImportError: No module named
      module => ^\S{0,200}python\d?(?:\.\d{1,2})?(?:\.exe)?: No module named
      finding => : Error while finding module specification for
      named => \bNo module named '?[\w.]{1,100}'?$
    `,
  }),
  rule("python-import-broken", "dependency_error", "phrase", 0.62, {
    lines: String.raw`importerror => ^(?:\S{0,80}\.)?ImportError:\s`,
  }),
  rule("uv-lock-state", "dependency_error", "typed", 0.9, {
    ignoreCase: true,
    lines: String.raw`
      lock,lockfile => \b(?:lockfile|lock file) .{0,80}(?:needs to be updated|is not up.to.date)
      lock,lockfile => \b(?:lockfile|lock file) .{0,80}out of date
      lock,lockfile => \b(?:lockfile|lock file) .{0,80}(?:is outdated|does not satisfy)
      lock,lockfile => \b(?:lockfile|lock file) .{0,80}out of sync
      needs => \bneeds to be updated, but \`?--(?:locked|frozen|check)
      unable => \bUnable to find lockfile
      significantly => \bpyproject\.toml changed significantly since poetry\.lock
      poetry => \bpoetry\.lock is not (?:up to date|compatible)
      mismatch => \bHash mismatch for\b
      these => \bTHESE PACKAGES DO NOT MATCH THE HASHES
      hashes => \bIn \`?--require-hashes\`? mode
      hashes => \bHashes are required\b
      lock => \bLock file .{0,60}(?:is broken|hash doesn't match)
      pipfile => \bPipfile\.lock .{0,40}out of date
    `,
  }),
  rule("python-version-range", "dependency_error", "typed", 0.87, {
    ignoreCase: true,
    lines: String.raw`
      different => \brequires a different Python\b
      requires => \bRequires-Python\b
      incompatible => \bincompatible with the project's Python requirement
      interpreter => \bNo interpreter found (?:for|at)\b
      range => \bsupported Python range .{0,60}not compatible
      requires => \brequires Python ?[<>=!~^]
      requirement => \bPython requirement .{0,80}(?:incompatible|not satisfied)
      allowed => \bCurrent Python version .{0,40}is not allowed by the project
      version => \bpyenv: version \`[^']{1,60}' is not installed
      wheel,wheels => \bno wheels? (?:with|are) .{0,60}(?:matching|usable)
    `,
  }),
  rule("conda-unsatisfied", "dependency_error", "typed", 0.94, {
    ignoreCase: true,
    lines: String.raw`
      packagesnotfounderror => \bPackagesNotFoundError\b
      resolvepackagenotfound => \bResolvePackageNotFound\b
      unsatisfiableerror => \bUnsatisfiableError\b
      available => \bnot available from current channels
      provides => \bnothing provides requested\b
      specsconfigurationconflicterror => \bSpecsConfigurationConflictError\b
    `,
  }),
  rule("pip-managed", "dependency_error", "exact", 0.6, {
    ignoreCase: true,
    lines: String.raw`
      externally => \bexternally[- ]managed(?:-environment)?\b
      uninstall => \bCannot uninstall .{1,80}distutils installed project
    `,
  }),
  rule("uv-extras", "dependency_error", "phrase", 0.7, {
    ignoreCase: true,
    lines: String.raw`
      find,install,resolve,satisfy => \b(?:could not|cannot|couldn't|failed to|
      ... unable to) (?:be )?(?:resolve|install|satisfy|find) .{0,60}\b(?:dependenc(?:y|ies)|
      ... requirements?|packages?)\b
      dependencies,dependency,package,requirement => \b(?:dependency|dependencies|package|
      ... requirement) \`?[\w.@/-]{1,80}\`? (?:could not be|cannot be|was not|not) (?:found|
      ... resolved|installed|satisfied)
      unmet => \bunmet (?:peer )?dependenc
      dependencies,dependency => \bmissing dependenc(?:y|ies)\b
      wheel => \bwheel is (?:invalid|not supported|not compatible)
      wheel => \bis not a supported wheel\b
      dependency => \bdependency (?:resolution|conflict|error)\b
    `,
    unless: String.raw`
      \bNo such file or directory\b
      ENOENT
      \bpath\b
    `,
  }),
  rule("npm-resolve", "dependency_error", "typed", 0.97, {
    lines: String.raw`
      eintegrity,eresolve,etarget => \b(?:code |error )?(?:ERESOLVE|ETARGET|EINTEGRITY)\b
      ebadengine,ebadplatform => \b(?:code |error )?(?:EBADENGINE|EBADPLATFORM)\b
      epeerinvalid => \b(?:code |error )?EPEERINVALID\b
      eunsupportedprotocol => \b(?:code |error )?EUNSUPPORTEDPROTOCOL\b
      eduplicateworkspace,enoversions => \b(?:code |error )?(?:ENOVERSIONS|
      ... EDUPLICATEWORKSPACE)\b
    `,
    unless: String.raw`\bnpm (?:WARN|warn) EBADENGINE`,
  }),
  rule("npm-registry-404", "dependency_error", "typed", 0.9, {
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
  }),
  rule("npm-lock-state", "dependency_error", "typed", 0.93, {
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
  }),
  rule("npm-peer", "dependency_error", "typed", 0.92, {
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
  }),
  rule("node-package-missing", "dependency_error", "exact", 0.82, {
    lines: String.raw`
      find => \bCannot find module '(?!\.{0,2}[/\\]|[A-Za-z]:\\|@\/|~\/)[\w@][^']{0,200}'
      find => \bCannot find package '(?!\.{0,2}[/\\]|[A-Za-z]:\\|@\/|~\/)[\w@][^']{0,200}'
      declaration => \bCould not find a declaration file for module
      path => \bERR_PACKAGE_PATH_NOT_EXPORTED
      subpath => \bPackage subpath '.{1,120}' is not defined by "exports"
    `,
    unless: String.raw`\berror TS\d`,
  }),
  rule("js-plugin-missing", "dependency_error", "typed", 0.85, {
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
  }),
  rule("deno-bun-missing", "dependency_error", "exact", 0.85, {
    ignoreCase: true,
    lines: String.raw`
      prefixed => \bRelative import path ".{1,120}" not prefixed with
      jsr,npm => \berror: (?:Could not find|No) (?:npm|jsr) package
      package => \bnpm package '.{1,100}' does not exist
      package => \berror: package "[^"]{1,100}" not found
      matching => \bNo version matching "
      resolve => \berror: .{1,100} failed to resolve$
    `,
  }),
];
