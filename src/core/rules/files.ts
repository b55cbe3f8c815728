/** Missing files, folders, images and resources, and those of the wrong type. */
import { rule, type Rule } from "../classify/rule.ts";

export const FILES: readonly Rule[] = [
  rule("no-such-file", "file_not_found", "exact", 0.93, {
    lines: String.raw`
      such => \b[Nn]o such file(?: or directory)?\b
      enoent => \bENOENT\b
      filenotfounderror,filenotfoundexception => \bFileNotFound(?:Error|Exception)\b
      nosuchfileexception => \bNoSuchFileException\b
      directorynotfoundexception => \bDirectoryNotFoundException\b
      such => \bno such directory\b
      nosuchkey => \bNoSuchKey\b
      nosuchbucket => \bNoSuchBucket\b
    `,
    unless: String.raw`
      \bspawn\b
      \bscandir '\/proc
      \((?:Permission|Access is) denied\)
    `,
  }),
  rule("file-does-not-exist", "file_not_found", "exact", 0.88, {
    ignoreCase: true,
    lines: String.raw`
      exist => \b(?:file|directory|folder|path|project|source|workspace|
      ... config(?:uration)?(?: file)?|script|entry ?point|archive|notebook|template|input|
      ... environment|dataset|repository|image)s?:? ["'\`(]?[^"'\`]{0,200}["'\`)]? (?:does not|
      ... doesn't|do not) exist\b
      exist => \bdoes not exist(?: in|\.|,|:|$)(?=.{0,80}(?:file|dir|path|folder|\/|\\))
      doesn => \bdoesn't exist(?: in|\.|,|:|$)(?=.{0,80}(?:file|dir|path|folder|\/|\\))
      exist => [/\\][\w.-]{1,120}["'\`]? (?:does not|doesn't) exist\b
      specified => \bspecified path does not exist\b
      exist => \bFile does not exist\b
    `,
    unless: String.raw`
      \b(?:model|property|column|relation|role|database|user|table|function|attribute|branch|
      ... remote|tool|command|method|option|name|key|module|type) ["'\`]?[\w."'\`-]{1,
      ... 80} does not exist
      \berror TS\d
      \bon type\b
    `,
  }),
  rule("file-not-found-words", "file_not_found", "exact", 0.88, {
    lines: String.raw`
      found => \b(?:file|directory|folder|path|dockerfile|manifest|config(?:uration)?(?: file)?|
      ... makefile|jarfile|script|distribution|workspace|project file|notebook|template|
      ... input file|entry point|document)s?\b(?: was| were| is)? not found\b
      access,find,load,locate,open,read,stat => \b(?:[Cc]ould not|[Cc]annot|[Cc]an't|
      ... [Cc]ouldn't|[Uu]nable to|[Ff]ailed to|[Dd]id not) (?:find|locate|open|access|read|
      ... stat|load) (?:a |an |the |any |input |source |local |config(?:uration)? |required |
      ... entry |perl |main )?(?:file|directory|folder|path|script|jarfile|manifest|
      ... \`?Cargo\.toml|\`?pyproject\.toml|\`?package\.json|composer\.json|Gemfile|Dockerfile|
      ... Makefile|solution|project|tsconfig|configuration|workspace|module root|environment|
      ... conda environment)\b
      access,find,load,open,read,stat => \b(?:Could not|Cannot|Can't|cannot|couldn't|could not|
      ... can't) (?:open|read|stat|access|find|load) ["'\`]?(?:\.{0,2}[/\\~]|
      ... [A-Za-z]:\\)?[\w./\\-]{1,200}\.\w{1,8}["'\`]?(?:[:.,]|$|\s)
      found => \bNot found: (?:\/|\.|[A-Za-z]:\\)
      open => \bcan't open file\b
      found => \bFile not found\b
      found => \bfile not found\b
      found => \bfile_not_found\b
      open => ^\S{0,40}: cannot open \S
      stat => \bcannot stat\b
      input => \bCould not open input file\b
      unable => \bUnable to access jarfile
    `,
    unless: String.raw`
      \bPermission
      \bpermission
      \bshared object
      \bEACCES
      \bdenied\b
      \bld:\s
      \bmodule\b
      \berror TS\d
      \bcommand or file\b
      \b(?:script|task|target) named\b
    `,
  }),
  rule("project-file-missing", "file_not_found", "typed", 0.86, {
    lines: String.raw`
      makefile => \bno makefile found\b
      configuration => \bNo configuration files\b
      mod => \bgo\.mod file not found
      find => \bgo: cannot find main module
      files => \bno Go files in\b
      pyproject => \b[Nn]o \`?pyproject\.toml\`? (?:file )?(?:was )?found
      chart,compose,composer,dockerfile,gemfile,gradle,kustomization,mix,package,procfile,
      ... rakefile,requirements,setup,toml,tsconfig,vagrantfile,xml,
      ... yml => \b[Nn]o \`?(?:package\.json|tsconfig\.json|Gemfile|composer\.json|Cargo\.toml|
      ... pom\.xml|mix\.exs|build\.gradle|Dockerfile|docker-compose\.ya?ml|Chart\.yaml|
      ... Vagrantfile|Rakefile|Procfile|kustomization\.yaml|setup\.py|requirements\.txt)\b.{0,
      ... 20}(?:found|exists|was found)
      find,locate => \bCould not (?:locate|find) (?:a )?(?:Gemfile|pyproject\.toml|
      ... composer\.json)
      importer,pkg => \bERR_PNPM_NO_(?:PKG_MANIFEST|IMPORTER_MANIFEST_FOUND)
      virtual => \b[Nn]o virtual environment found
      pom => \bthere is no POM in this directory
      msb,msb1009 => \bMSB100[39]\b
      msb1009 => \bMSB1009\b
      appear => \bdoes not appear to contain CMakeLists\.txt
      needed => \bNo rule to make target '[^']{1,120}', needed by
      ts18003,ts5057,ts5058,ts5083,ts6053 => \bTS(?:5057|5058|5083|6053|18003)\b
      provided => \bno configuration file provided\b
      such => \bNo such (?:container|image|volume|network|service|object): \S
      notfound => \bError from server \(NotFound\)
      matching => \bNo files matching the pattern
      neither => \bNeither 'setup\.py' nor 'pyproject\.toml' found
      couldn => \bcouldn't find an? (?:eslint\.config|configuration file)
      files => \bNo test files found\b
      items => \bcollected 0 items \/ 1 error
      found => \bERROR: (?:file or directory )?not found:\s
      gradle => \bdoes not contain a Gradle build
      find => \bCould not find a(?:ny)? (?:package\.json|valid config|production build)\b
      manifest => \bmanifest (?:for .{1,160} )?not found
      manifest => \bmanifest unknown\b
      metadata => : failed to resolve source metadata for .{1,160}: not found
      folder => \bnot a local folder\b.{0,20}$
      resolve => \bCould not resolve to a \w
    `,
  }),
  rule("windows-file-not-found", "file_not_found", "exact", 0.95, {
    ignoreCase: true,
    lines: String.raw`
      system => \b[Tt]he system cannot find the (?:file|path|drive) specified
      find => \bCannot find (?:path|drive)\b
      pathnotfound => \bPathNotFound,
      itemnotfoundexception => \bItemNotFoundException\b
      winerror => \[WinError [23]\]
      find => \bCould not find (?:a part of the path|file)\b
      kann => \b(?:System )?kann (?:die angegebene Datei|den angegebenen Pfad) nicht finden
      spécifié => \bfichier spécifié est introuvable
      chemin => \bchemin d[’']accès spécifié est introuvable
      puede => \bno puede (?:encontrar|hallar) (?:el archivo|la ruta) especificad
      trovare => \bImpossibile trovare il (?:file|percorso) specificato
      não => \bnão (?:pode|conseguiu) (?:encontrar|localizar) o (?:arquivo|caminho) especificado
      удается => не удается найти указанный (?:файл|путь)
      系统 => 系统找不到指定的
      的檔,路徑 => 找不到指定的(?:檔案|路徑)
      定さ => 指定された(?:ファイル|パス)が見つかりません
      지정 => 지정된 (?:파일|경로)을? ?(?:를 )?찾을 수 없
    `,
  }),
  rule("file-not-found-locales", "file_not_found", "exact", 0.95, {
    lines: String.raw`
      verzeichnis => Datei oder Verzeichnis nicht gefunden
      fichier => Aucun fichier ou (?:dossier|répertoire) de ce (?:type|nom)
      existe => No existe el (?:fichero|archivo) o el directorio
      existe => No existe (?:tal|ese) (?:archivo|fichero)
      non => File o directory non esistente
      diretório => Arquivo ou diretório (?:inexistente|não encontrado)
      directoria,diretório,pasta => Ficheiro ou (?:directoria|pasta|diretório) inexistente
      bestaat => Bestand of map bestaat niet
      takiego => Nie ma takiego pliku ani katalogu
      такого => Нет такого файла или каталога
      або => Немає такого файл[ау] або каталогу
      такъв => Няма такъв файл или директория
      bir => Böyle bir dosya ya da dizin yok
      eller => Filen eller katalogen finns inte
      fil => Ingen s(?:å|l)[a-zå]{1,4} fil eller filkatalog
      tai => Tiedostoa tai hakemistoa ei ole
      nebo => (?:Adresář nebo soubor|Soubor nebo adresář) neexistuje
      ilyen => Nincs ilyen fájl vagy könyvtár
      有那 => 没有那个文件或目录
      沒有 => 沒有此一檔案或目錄
      その => そのようなファイルやディレクトリはありません
      그런 => 그런 파일이나 디렉(?:터|토)리가 없
      introuvable => introuvable\s?: ?.{0,40}(?:fichier|datei|archivo|file)
      gefunden => nicht gefunden\s?: ?.{0,40}(?:fichier|datei|archivo|file)
      encontrado => no encontrado\s?: ?.{0,40}(?:fichier|datei|archivo|file)
      trovato => non trovato\s?: ?.{0,40}(?:fichier|datei|archivo|file)
      encontrado => não encontrado\s?: ?.{0,40}(?:fichier|datei|archivo|file)
    `,
  }),
  rule("git-paths", "file_not_found", "exact", 0.7, {
    lines: String.raw`
      pathspec => \bpathspec '.{1,200}' did not match
      stimmt => Pfadspezifikation '.{1,200}' stimmt mit keine
      chemin => spécificateur de chemin '.{1,200}' ne correspond
      repository => \bfatal: repository '[^']{1,200}' (?:does not exist|not found)
      fatal => \bfatal: path '.{1,200}' (?:does not exist|exists on disk, but not)
      something => \bnot something we can merge\b
    `,
  }),
  rule("is-a-directory", "invalid_arguments", "exact", 0.8, {
    lines: String.raw`
      ein,est,is => : (?:[Ii]s a directory|Est un dossier|Ist ein Verzeichnis)
      un,una => : (?:Es un directorio|È una directory)
      é,это,リで,是一 => : (?:É um diretório|Это каталог|是一个目录|ディレクトリです)
      eisdir => \bEISDIR\b
      omitting => \bomitting directory\b
      r => -r not specified
      removing => \bnot removing '.{1,120}' recursively without -r
      hard => \bhard link not allowed for directory
      directory => \bIs a directory \(os error
      adirectory => \bIsADirectoryError\b
      directory => \bis a directory, not a file\b
      directory => : Not a directory\b
      enotdir => \bENOTDIR\b
      adirectory => \bNotADirectoryError\b
      directory => \bNot a directory \(os error
    `,
  }),
];
