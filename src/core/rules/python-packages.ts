/** Packages that cannot be resolved or installed: Python tools. */
import type { Rule } from "../classify/rule.ts";

export const PYTHON_PACKAGES: readonly Rule[] = [
  {
    id: "uv-no-solution",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.95,
    ignoreCase: true,
    lines: String.raw`
      solution => \bNo solution found when resolving
      requirements => \brequirements are unsatisfiable
      solving => \bversion solving failed
      conclude => \bwe can conclude that .{1,200}(?:unsatisfiable|incompatible)
      incompatible => \bwhich are incompatible\b
      incompatible => \bbut you have \S{1,80} \S{1,40} which is incompatible\b
    `,
    example: "  × No solution found when resolving dependencies:",
    nearMiss: "no solution was found to the puzzle",
  },
  {
    id: "pip-no-match",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.94,
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
    example: "ERROR: Could not find a version that satisfies the requirement cartlib==9",
    nearMiss: "a version that satisfies everyone",
  },
  {
    id: "python-module-missing",
    kind: "dependency_error",
    level: "exact",
    confidence: 0.86,
    lines: String.raw`
      modulenotfounderror => \bModuleNotFoundError: No module named
      importerror => \bImportError: No module named
      module => ^\S{0,200}python\d?(?:\.\d{1,2})?(?:\.exe)?: No module named
      finding => : Error while finding module specification for
      named => \bNo module named '?[\w.]{1,100}'?$
    `,
    example: "ModuleNotFoundError: No module named 'cartlib'",
    nearMiss: "the module named 'cartlib' was loaded",
  },
  {
    id: "python-import-broken",
    kind: "dependency_error",
    level: "phrase",
    confidence: 0.62,
    lines: String.raw`
      importerror => ^(?:\S{0,80}\.)?ImportError:\s
    `,
    example: "ImportError: libcart.so.2: cannot open shared object file: No such file or directory",
    nearMiss: "handled ImportError",
  },
  {
    id: "uv-lock-state",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.9,
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
    example: "error: The lockfile at `uv.lock` needs to be updated, but `--locked` was provided.",
    nearMiss: "the lock needs to be oiled",
  },
  {
    id: "python-version-range",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.87,
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
    example: "ERROR: Package 'cartlib' requires a different Python: 3.8.2 not in '>=3.10'",
    nearMiss: "a different python was seen in the zoo",
  },
  {
    id: "conda-unsatisfied",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.94,
    ignoreCase: true,
    lines: String.raw`
      packagesnotfounderror => \bPackagesNotFoundError\b
      resolvepackagenotfound => \bResolvePackageNotFound\b
      unsatisfiableerror => \bUnsatisfiableError\b
      available => \bnot available from current channels
      provides => \bnothing provides requested\b
      specsconfigurationconflicterror => \bSpecsConfigurationConflictError\b
    `,
    example:
      "PackagesNotFoundError: The following packages are not available from current channels:",
    nearMiss: "all channels are available",
  },
  {
    id: "pip-managed",
    kind: "dependency_error",
    level: "exact",
    confidence: 0.6,
    ignoreCase: true,
    lines: String.raw`
      externally => \bexternally[- ]managed(?:-environment)?\b
      uninstall => \bCannot uninstall .{1,80}distutils installed project
    `,
    example: "error: externally-managed-environment",
    nearMiss: "managed by an external agency",
  },
  {
    id: "uv-extras",
    kind: "dependency_error",
    level: "phrase",
    confidence: 0.7,
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
    example: "error: dependency `cartlib` could not be resolved",
    nearMiss: "we depend on a package of goods",
  },
];
