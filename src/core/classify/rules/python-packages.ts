/**
 * Packages that cannot be resolved or installed: Python tools. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const PYTHON_PACKAGES: readonly Rule[] = [
  {
    id: "uv-no-solution",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.95,
    words: ["conclude", "incompatible", "requirements", "solution", "solving"],
    pattern:
      /\bNo solution found when resolving|\brequirements are unsatisfiable|\bversion solving failed|\bwe can conclude that .{1,200}(?:unsatisfiable|incompatible)|\bwhich are incompatible\b/i,
    example: "  × No solution found when resolving dependencies:",
    nearMiss: "no solution was found to the puzzle",
  },
  {
    id: "pip-no-match",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.94,
    words: ["conflict", "conflicting", "dependency", "distribution", "requirements", "resolutionimpossible", "resolver", "satisfies", "these"],
    pattern:
      /\bCould not find a version that satisfies the requirement|\bNo matching distribution found|\bResolutionImpossible\b|\bhas conflicting dependencies|\bbecause these package versions have conflicting|\bdependency resolver does not currently|^The conflict is caused by|\bRequirements contain conflicting|\bdependency conflicts?\b/i,
    example: "ERROR: Could not find a version that satisfies the requirement cartlib==9",
    nearMiss: "a version that satisfies everyone",
  },
  {
    id: "python-module-missing",
    kind: "dependency_error",
    level: "exact",
    confidence: 0.86,
    words: ["finding", "importerror", "module", "modulenotfounderror", "named"],
    pattern:
      /\bModuleNotFoundError: No module named|\bImportError: No module named|^\S{0,200}python\d?(?:\.\d{1,2})?(?:\.exe)?: No module named|: Error while finding module specification for|\bNo module named '?[\w.]{1,100}'?$/,
    example: "ModuleNotFoundError: No module named 'cartlib'",
    nearMiss: "the module named 'cartlib' was loaded",
  },
  {
    id: "python-import-broken",
    kind: "dependency_error",
    level: "phrase",
    confidence: 0.62,
    words: ["importerror"],
    pattern: /^(?:\S{0,80}\.)?ImportError: /,
    example: "ImportError: libcart.so.2: cannot open shared object file: No such file or directory",
    nearMiss: "handled ImportError",
  },
  {
    id: "uv-lock-state",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.9,
    words: ["hashes", "lock", "lockfile", "mismatch", "needs", "pipfile", "poetry", "significantly", "these", "unable"],
    pattern:
      /\b(?:lockfile|lock file) .{0,80}(?:needs to be updated|is not up.to.date|out of date|is outdated|does not satisfy|out of sync)|\bneeds to be updated, but `?--(?:locked|frozen|check)|\bUnable to find lockfile|\bpyproject\.toml changed significantly since poetry\.lock|\bpoetry\.lock is not (?:up to date|compatible)|\bHash mismatch for\b|\bTHESE PACKAGES DO NOT MATCH THE HASHES|\bIn `?--require-hashes`? mode|\bHashes are required\b|\bLock file .{0,60}(?:is broken|hash doesn't match)|\bPipfile\.lock .{0,40}out of date/i,
    example: "error: The lockfile at `uv.lock` needs to be updated, but `--locked` was provided.",
    nearMiss: "the lock needs to be oiled",
  },
  {
    id: "python-version-range",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.87,
    words: ["allowed", "different", "incompatible", "interpreter", "range", "requirement", "requires", "version", "wheel", "wheels"],
    pattern:
      /\brequires a different Python\b|\bRequires-Python\b|\bincompatible with the project's Python requirement|\bNo interpreter found (?:for|at)\b|\bsupported Python range .{0,60}not compatible|\brequires Python ?[<>=!~^]|\bPython requirement .{0,80}(?:incompatible|not satisfied)|\bCurrent Python version .{0,40}is not allowed by the project|\bpyenv: version `[^']{1,60}' is not installed|\bno wheels? (?:with|are) .{0,60}(?:matching|usable)/i,
    example: "ERROR: Package 'cartlib' requires a different Python: 3.8.2 not in '>=3.10'",
    nearMiss: "a different python was seen in the zoo",
  },
  {
    id: "conda-unsatisfied",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.94,
    words: ["available", "packagesnotfounderror", "provides", "resolvepackagenotfound", "specsconfigurationconflicterror", "unsatisfiableerror"],
    pattern:
      /\bPackagesNotFoundError\b|\bResolvePackageNotFound\b|\bUnsatisfiableError\b|\bnot available from current channels|\bnothing provides requested\b|\bSpecsConfigurationConflictError\b/i,
    example:
      "PackagesNotFoundError: The following packages are not available from current channels:",
    nearMiss: "all channels are available",
  },
  {
    id: "pip-managed",
    kind: "dependency_error",
    level: "exact",
    confidence: 0.6,
    words: ["externally", "uninstall"],
    pattern:
      /\bexternally[- ]managed(?:-environment)?\b|\bCannot uninstall .{1,80}distutils installed project/i,
    example: "error: externally-managed-environment",
    nearMiss: "managed by an external agency",
  },
  {
    id: "uv-extras",
    kind: "dependency_error",
    level: "phrase",
    confidence: 0.7,
    words: ["dependencies", "dependency", "find", "install", "package", "requirement", "resolve", "satisfy", "unmet", "wheel"],
    pattern:
      /\b(?:could not|cannot|couldn't|failed to|unable to) (?:be )?(?:resolve|install|satisfy|find) .{0,60}\b(?:dependenc(?:y|ies)|requirements?|packages?)\b|\b(?:dependency|dependencies|package|requirement) `?[\w.@/-]{1,80}`? (?:could not be|cannot be|was not|not) (?:found|resolved|installed|satisfied)|\bunmet (?:peer )?dependenc|\bmissing dependenc(?:y|ies)\b|\bwheel is (?:invalid|not supported|not compatible)|\bis not a supported wheel\b|\bdependency (?:resolution|conflict|error)\b/i,
    except: /\bNo such file or directory\b|ENOENT|\bpath\b/i,
    example: "error: dependency `cartlib` could not be resolved",
    nearMiss: "we depend on a package of goods",
  },
];
