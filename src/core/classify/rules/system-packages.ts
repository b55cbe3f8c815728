/**
 * Packages that cannot be resolved or installed: Rust, Go, Java, .NET, Ruby, PHP, Perl and systems.
 * Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const SYSTEM_PACKAGES: readonly Rule[] = [
  {
    id: "cargo-select",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.95,
    words: ["built", "candidate", "crate", "does", "download", "get", "lock", "matching", "needs", "requires", "select", "source", "update"],
    pattern:
      /\bfailed to select a version for\b|\bno matching package(?: named)? |\bthe lock file .{0,200}needs to be updated but --(?:locked|frozen)|\bcannot update the lock file|\bfailed to (?:get|load source for|parse lock file|download) `?.{1,120}(?:as a dependency|dependency)|\bcannot be built because it requires rustc|\brequires rustc \d|\bdoes not have (?:these features|feature)|\bcandidate versions found which didn't match|\bthe crate `.{1,80}` could not be found/i,
    example: "error: failed to select a version for `cartlib`.",
    nearMiss: "please select a version for us",
  },
  {
    id: "go-modules",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.93,
    words: ["contain", "declares", "find", "inconsistent", "lookup", "mod", "package", "provides", "revision", "sum", "updates", "verifying"],
    pattern:
      /\bno required module provides package|\bcannot find (?:module providing )?package\b|\bmissing go\.sum entry|\bupdates to go\.(?:mod|sum) needed|\bpackage \S{1,120} is not in (?:std|GOROOT)|\bverifying (?:module|\S{1,120}): checksum mismatch|\bunknown revision\b|\bgo\.mod requires go ?>=|\binconsistent vendoring|\bmodule \S{1,120} found .{0,60}but does not contain package|\bmodule lookup disabled|\bmodule declares its path as/i,
    except: /\bunknown revision or path\b/,
    example: "cart.go:4:2: no required module provides package example.org/total; to add it:",
    nearMiss: "the module provides a package",
  },
  {
    id: "jvm-artifacts",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.92,
    words: ["artifact", "classnotfoundexception", "collect", "dependencies", "dependency", "find", "noclassdeffounderror", "plugin", "resolvable", "resolve", "unresolved", "unsupportedclassversionerror"],
    pattern:
      /\bCould not resolve dependencies for project|\bCould not (?:find|resolve) artifact\b|\bCould not resolve all (?:files|dependencies|artifacts|task dependencies)|\bFailed to collect dependencies|\bNon-resolvable (?:parent|import) POM|\bPlugin \[?.{1,120}\]? (?:was not found|or one of its dependencies could not be resolved)|\bCould not find \S{1,80}:\S{1,80}:\S{1,40}\.$|\bunresolved dependency:|\bUnsupportedClassVersionError\b|\b(?:NoClassDefFoundError|ClassNotFoundException)\b|\bMaven dependency not found/i,
    example: "[ERROR] Could not resolve dependencies for project org.example:cart:jar:1.0",
    nearMiss: "we could not resolve the dispute",
  },
  {
    id: "dotnet-packages",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.93,
    words: ["assembly", "compatible", "framework", "msb3644", "net", "netsdk", "nu", "unable"],
    pattern:
      /\berror NU\d{4}\b|\berror NETSDK\d{4}\b|\bCould not load file or assembly\b|\bA compatible \.NET SDK was not found|\bYou must install (?:or update )?\.NET\b|\berror MSB3644\b|\bUnable to find package \S|\bThe framework '.{1,60}', version '.{1,30}' .{0,20}was not found/i,
    example: "error NU1101: Unable to find package CartLib. No packages exist with this id",
    nearMiss: "the assembly of parts could not load",
  },
  {
    id: "ruby-gems",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.93,
    words: ["bundle", "bundler", "find", "gem", "gemfile", "gems", "gemspec", "installed", "load", "lockfile", "ruby"],
    pattern:
      /\bCould not find (?:compatible versions|gem '|\S{1,80} in (?:any of the sources|locally installed gems))|\bBundler could not find compatible versions|\bCould not find a valid gem '|\bYour Ruby version is .{1,20}, but your Gemfile|\bcannot load such file -- (?!\/|\.)|\bGem::(?:MissingSpecError|LoadError|ConflictError|DependencyError|UnsatisfiableDependencyError)|\bYour bundle is locked to|\bBundler::GemNotFound|\bYou (?:must|need to) use Bundler \d|\bYour lockfile .{0,80}(?:frozen|deployment)|\bSome gems (?:are missing|were not)|\bthe gemfile .{0,30}locked|\bThe gemspec for .{1,60} changed|\bversion '.{1,20}' is not installed \(set by/i,
    example: "Could not find gem 'cartlib' in locally installed gems.",
    nearMiss: "the gem was set in gold",
  },
  {
    id: "php-perl-lua-packages",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.92,
    words: ["called", "composer", "constructing", "continue", "current", "dependencies", "dependency", "hex", "installable", "known", "locate", "lock", "matching", "mismatch", "module", "pod", "satisfy", "specification", "such", "unchecked"],
    pattern:
      /\bYour requirements could not be resolved to an installable set|\bRoot composer\.json requires .{1,120}(?:could not be found|it could not|but)|\bYour (?:composer\.)?lock file .{0,60}(?:does not contain|not up to date)|\bCan't locate \S{1,160} in @INC|^\S{0,60}: .{0,80}module '[\w.]{1,80}' not found:|\bthere is no package called ['‘]|\bUnchecked dependencies for environment|\bCan't continue due to errors on dependencies|\bHex dependency resolution failed|\bCould not find a matching version of package|\bCould not resolve dependencies:$|\bWhile constructing the build plan|\bPackage .{1,80} (?:not found in current path|has no known versions)|^ERROR: dependenc(?:y|ies) .{1,80} (?:is|are) not available|\bno such module '|\bUnable to find a specification for\b|\bcould not find compatible versions for pod\b|\bUnable to satisfy the following requirements\b|\bhash mismatch in fixed-output derivation/i,
    example: "Can't locate Cart/Total.pm in @INC (you may need to install the Cart::Total module)",
    nearMiss: "we can't locate the cart in the shop",
  },
  {
    id: "apt-packages",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.92,
    words: ["available", "broken", "foi", "formulae", "however", "installation", "known", "leaving", "locate", "manifest", "match", "matching", "package", "paket", "paquet", "podido", "provider", "provides", "satisfy", "select", "such", "target", "transaction", "trouver", "trovare", "unmet", "удалось", "法定"],
    pattern:
      /\bUnable to locate package\b|\bhas no installation candidate|\bhave unmet dependencies|\bheld broken packages|\bUnmet dependencies\. Try|\bUnable to find a match\b|\bNo match for argument\b|^No package \S{1,80} available|\bNo provider of '|\bunable to select packages|\bNo (?:available|known) (?:formula|cask)|\bNo formulae or casks found|^error: target not found: |\bfailed to prepare transaction \(could not satisfy|\bNo package found matching input criteria|\bCouldn't find manifest for '|\bThe package was not found with the source|\bdependency problems - leaving unconfigured|\bno such package\b|\bdepends on .{1,60}; however:|\bnothing provides \S|\bcould not satisfy dependencies|\bpaquet .{1,60} introuvable|\bPaket .{1,60} kann nicht gefunden werden|\bNo se ha podido localizar el paquete|\bImpossible de trouver le paquet|\bImpossibile trovare il pacchetto|\bNão foi possível (?:encontrar|localizar) o pacote|\bНе удалось найти пакет|无法定位软件包/i,
    example: "E: Unable to locate package cartlib",
    nearMiss: "unable to locate the shop",
  },
  {
    id: "shared-library-missing",
    kind: "dependency_error",
    level: "exact",
    confidence: 0.82,
    words: ["dll", "dyld", "find", "glibc", "glibcxx", "libraries", "package", "pkg", "shared", "specified"],
    pattern:
      /\berror while loading shared libraries:|\bdyld(?:\[\d{1,8}\])?: Library not loaded|\bversion [`']GLIBC(?:XX)?_[\d.]{1,12}' not found|\bNo package '[\w.+-]{1,80}' found$|\bPackage '?[\w.+-]{1,80}'?,? (?:required by .{1,80}, )?(?:was not found|not found)(?: in the pkg-config|$)|\bpkg-config .{0,60}(?:not found|could not)|\bCould NOT find \w{1,60} \(missing|\bcannot open shared object file|\bDLL load failed|\bThe specified module could not be found/,
    example:
      "./cart: error while loading shared libraries: libtotal.so.2: cannot open shared object",
    nearMiss: "the shared libraries of the town",
  },
  {
    id: "terraform-init",
    kind: "dependency_error",
    level: "exact",
    confidence: 0.78,
    words: ["backend", "inconsistent", "initialization", "install", "installed", "plugins", "provider", "query", "yet"],
    pattern:
      /\bInconsistent dependency lock file|\bRequired plugins are not installed|\bModule not installed\b|\bmodule is not yet installed|\bFailed to query available provider packages|\bFailed to install provider|\bInitialization required\b|\bBackend initialization required|\bprovider registry .{1,80} does not have a provider named/i,
    example: "Error: Inconsistent dependency lock file",
    nearMiss: "the provider of plug sockets",
  },
];
