/** Packages that cannot be resolved or installed: Rust, Go, Java, .NET, Ruby, PHP, Perl and operating systems. */
import { rule, type Rule } from "../classify/rule.ts";

export const SYSTEM_PACKAGES: readonly Rule[] = [
  rule("cargo-select", "dependency_error", "typed", 0.95, {
    ignoreCase: true,
    lines: String.raw`
      select => \bfailed to select a version for\b
      matching => \bno matching package(?: named)?\s
      needs => \bthe lock file .{0,200}needs to be updated but --(?:locked|frozen)
      update => \bcannot update the lock file
      get,source => \bfailed to (?:get|load source for) \`?.{1,120}(?:as a dependency|
      ... dependency)
      download,lock => \bfailed to (?:parse lock file|download) \`?.{1,120}as a dependency
      download,lock => \bfailed to (?:parse lock file|download) \`?.{1,120}dependency
      built => \bcannot be built because it requires rustc
      requires => \brequires rustc \d
      does => \bdoes not have (?:these features|feature)
      candidate => \bcandidate versions found which didn't match
      crate => \bthe crate \`.{1,80}\` could not be found
    `,
  }),
  rule("go-modules", "dependency_error", "typed", 0.93, {
    ignoreCase: true,
    lines: String.raw`
      provides => \bno required module provides package
      find => \bcannot find (?:module providing )?package\b
      sum => \bmissing go\.sum entry
      updates => \bupdates to go\.(?:mod|sum) needed
      package => \bpackage \S{1,120} is not in (?:std|GOROOT)
      verifying => \bverifying (?:module|\S{1,120}): checksum mismatch
      revision => \bunknown revision\b
      mod => \bgo\.mod requires go ?>=
      inconsistent => \binconsistent vendoring
      contain => \bmodule \S{1,120} found .{0,60}but does not contain package
      lookup => \bmodule lookup disabled
      declares => \bmodule declares its path as
    `,
    unless: String.raw`\bunknown revision or path\b`,
  }),
  rule("jvm-artifacts", "dependency_error", "typed", 0.92, {
    ignoreCase: true,
    lines: String.raw`
      dependencies => \bCould not resolve dependencies for project
      artifact => \bCould not (?:find|resolve) artifact\b
      resolve => \bCould not resolve all (?:files|dependencies|artifacts|task dependencies)
      collect => \bFailed to collect dependencies
      resolvable => \bNon-resolvable (?:parent|import) POM
      plugin => \bPlugin \[?.{1,120}\]? was not found
      its => \bPlugin \[?.{1,120}\]? or one of its dependencies could not be resolved
      find => \bCould not find \S{1,80}:\S{1,80}:\S{1,40}\.$
      unresolved => \bunresolved dependency:
      unsupportedclassversionerror => \bUnsupportedClassVersionError\b
      noclassdeffounderror => \bNoClassDefFoundError\b
      classnotfoundexception => \bClassNotFoundException\b
      dependency => \bMaven dependency not found
    `,
  }),
  rule("dotnet-packages", "dependency_error", "typed", 0.93, {
    ignoreCase: true,
    lines: String.raw`
      nu => \berror NU\d{4}\b
      netsdk => \berror NETSDK\d{4}\b
      assembly => \bCould not load file or assembly\b
      compatible => \bA compatible \.NET SDK was not found
      net => \bYou must install (?:or update )?\.NET\b
      msb3644 => \berror MSB3644\b
      unable => \bUnable to find package \S
      framework => \bThe framework '.{1,60}', version '.{1,30}' .{0,20}was not found
    `,
  }),
  rule("ruby-gems", "dependency_error", "typed", 0.93, {
    ignoreCase: true,
    lines: String.raw`
      compatible,gem => \bCould not find (?:compatible versions|gem ')
      find => \bCould not find \S{1,80} in (?:any of the sources|locally installed gems)
      bundler => \bBundler could not find compatible versions
      gem => \bCould not find a valid gem '
      ruby => \bYour Ruby version is .{1,20}, but your Gemfile
      load => \bcannot load such file -- (?!\/|\.)
      gem => \bGem::(?:MissingSpecError|LoadError|ConflictError)
      gem => \bGem::(?:DependencyError|UnsatisfiableDependencyError)
      bundle => \bYour bundle is locked to
      bundler => \bBundler::GemNotFound
      bundler => \bYou (?:must|need to) use Bundler \d
      lockfile => \bYour lockfile .{0,80}(?:frozen|deployment)
      gems => \bSome gems (?:are missing|were not)
      gemfile => \bthe gemfile .{0,30}locked
      gemspec => \bThe gemspec for .{1,60} changed
      installed => \bversion '.{1,20}' is not installed \(set by
    `,
  }),
  rule("php-perl-lua-packages", "dependency_error", "typed", 0.92, {
    ignoreCase: true,
    lines: String.raw`
      installable => \bYour requirements could not be resolved to an installable set
      composer => \bRoot composer\.json requires .{1,120}(?:could not be found|it could not|but)
      lock => \bYour (?:composer\.)?lock file .{0,60}(?:does not contain|not up to date)
      locate => \bCan't locate \S{1,160} in @INC
      module => ^\S{0,60}: .{0,80}module '[\w.]{1,80}' not found:
      called => \bthere is no package called ['‘]
      unchecked => \bUnchecked dependencies for environment
      continue => \bCan't continue due to errors on dependencies
      hex => \bHex dependency resolution failed
      matching => \bCould not find a matching version of package
      dependencies => \bCould not resolve dependencies:$
      constructing => \bWhile constructing the build plan
      current,known => \bPackage .{1,80} (?:not found in current path|has no known versions)
      dependencies,dependency => ^ERROR: dependenc(?:y|ies) .{1,80} (?:is|are) not available
      such => \bno such module '
      specification => \bUnable to find a specification for\b
      pod => \bcould not find compatible versions for pod\b
      satisfy => \bUnable to satisfy the following requirements\b
      mismatch => \bhash mismatch in fixed-output derivation
    `,
  }),
  rule("apt-packages", "dependency_error", "typed", 0.92, {
    ignoreCase: true,
    lines: String.raw`
      locate => \bUnable to locate package\b
      installation => \bhas no installation candidate
      unmet => \bhave unmet dependencies
      broken => \bheld broken packages
      unmet => \bUnmet dependencies\. Try
      match => \bUnable to find a match\b
      match => \bNo match for argument\b
      package => ^No package \S{1,80} available
      provider => \bNo provider of '
      select => \bunable to select packages
      available,known => \bNo (?:available|known) (?:formula|cask)
      formulae => \bNo formulae or casks found
      target => ^error: target not found:\s
      transaction => \bfailed to prepare transaction \(could not satisfy
      matching => \bNo package found matching input criteria
      manifest => \bCouldn't find manifest for '
      package => \bThe package was not found with the source
      leaving => \bdependency problems - leaving unconfigured
      such => \bno such package\b
      however => \bdepends on .{1,60}; however:
      provides => \bnothing provides \S
      satisfy => \bcould not satisfy dependencies
      paquet => \bpaquet .{1,60} introuvable
      paket => \bPaket .{1,60} kann nicht gefunden werden
      podido => \bNo se ha podido localizar el paquete
      trouver => \bImpossible de trouver le paquet
      trovare => \bImpossibile trovare il pacchetto
      foi => \bNão foi possível (?:encontrar|localizar) o pacote
      удалось => Не удалось найти пакет
      法定 => 无法定位软件包
      compatible,suitable => \b(?:suitable|compatible) version for\b
      econflict => \bECONFLICT\b
      version => \bVersion '[^']{1,40}' not found\b
      snap => \bsnap "[^"]{1,60}" not found\b
    `,
    unless: String.raw`\bBUILD file not found\b`,
  }),
  rule("shared-library-missing", "dependency_error", "exact", 0.82, {
    lines: String.raw`
      libraries => \berror while loading shared libraries:
      dyld => \bdyld(?:\[\d{1,8}\])?: Library not loaded
      glibc,glibcxx => \bversion [\`']GLIBC(?:XX)?_[\d.]{1,12}' not found
      package => \bNo package '[\w.+-]{1,80}' found$
      pkg => \bPackage '?[\w.+-]{1,80}'?,? (?:required by .{1,
      ... 80}, )?was not found in the pkg-config
      package => \bPackage '?[\w.+-]{1,80}'?,? (?:required by .{1,80}, )?was not found$
      pkg => \bPackage '?[\w.+-]{1,80}'?,? (?:required by .{1,80}, )?not found in the pkg-config
      package => \bPackage '?[\w.+-]{1,80}'?,? (?:required by .{1,80}, )?not found$
      pkg => \bpkg-config .{0,60}(?:not found|could not)
      find => \bCould NOT find \w{1,60} \(missing
      shared => \bcannot open shared object file
      dll => \bDLL load failed
      specified => \bThe specified module could not be found
    `,
  }),
  rule("terraform-init", "dependency_error", "exact", 0.78, {
    ignoreCase: true,
    lines: String.raw`
      inconsistent => \bInconsistent dependency lock file
      plugins => \bRequired plugins are not installed
      installed => \bModule not installed\b
      yet => \bmodule is not yet installed
      query => \bFailed to query available provider packages
      install => \bFailed to install provider
      initialization => \bInitialization required\b
      backend => \bBackend initialization required
      provider => \bprovider registry .{1,80} does not have a provider named
    `,
  }),
  rule("build-dependency", "dependency_error", "typed", 0.85, {
    lines: String.raw`
      dependency => \bERROR: Dependency "[^"]{1,120}" not found\b
      driver => \bPDOException: could not find driver\b
      requirements => ^configure: error: Package requirements \(
      package => \bNo package '[^']{1,80}' found\b
    `,
  }),
];
