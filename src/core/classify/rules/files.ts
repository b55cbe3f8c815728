/**
 * Files, folders, images, resources that are not there. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const FILES: readonly Rule[] = [
  {
    id: "no-such-file",
    kind: "file_not_found",
    level: "exact",
    confidence: 0.93,
    words: ["directorynotfoundexception", "enoent", "filenotfounderror", "filenotfoundexception", "nosuchbucket", "nosuchfileexception", "nosuchkey", "such"],
    pattern:
      /\b[Nn]o such file(?: or directory)?\b|\bENOENT\b|\bFileNotFound(?:Error|Exception)\b|\bNoSuchFileException\b|\bDirectoryNotFoundException\b|\bno such directory\b|\bNoSuchKey\b|\bNoSuchBucket\b/,
    except: /\bspawn\b|\bscandir '\/proc|\((?:Permission|Access is) denied\)/,
    example: "cat: carts.txt: No such file or directory",
    nearMiss: "there is no such thing as a free cart",
  },
  {
    id: "file-does-not-exist",
    kind: "file_not_found",
    level: "exact",
    confidence: 0.88,
    words: ["exist", "specified"],
    pattern:
      /\b(?:file|directory|folder|path|project|source|workspace|config(?:uration)?(?: file)?|script|entry ?point|archive|notebook|template|input|environment|dataset|repository|image)s?:? ["'`(]?[^"'`]{0,200}["'`)]? (?:does not|doesn't|do not) exist\b|\b(?:does not|doesn't) exist(?: in|\.|,|:|$)(?=.{0,80}(?:file|dir|path|folder|\/|\\))|[/\\][\w.-]{1,120}["'`]? (?:does not|doesn't) exist\b|\bspecified path does not exist\b|\bFile does not exist\b/i,
    except:
      /\b(?:model|property|column|relation|role|database|user|table|function|attribute|branch|remote|tool|command|method|option|name|key|module|type) ["'`]?[\w."'`-]{1,80} does not exist|\berror TS\d|\bon type\b/i,
    example: "error: the path '/srv/carts' does not exist",
    nearMiss: "The model `cart-9` does not exist",
  },
  {
    id: "file-not-found-words",
    kind: "file_not_found",
    level: "exact",
    confidence: 0.88,
    words: ["access", "find", "found", "input", "load", "locate", "open", "read", "stat", "unable"],
    pattern:
      /\b(?:file|directory|folder|path|dockerfile|manifest|config(?:uration)?(?: file)?|makefile|jarfile|script|distribution|workspace|project file|notebook|template|input file|entry point|document)s?\b(?: was| were| is)? not found\b|\b(?:[Cc]ould not|[Cc]annot|[Cc]an't|[Cc]ouldn't|[Uu]nable to|[Ff]ailed to|[Dd]id not) (?:find|locate|open|access|read|stat|load) (?:a |an |the |any |input |source |local |config(?:uration)? |required |entry |perl |main )?(?:file|directory|folder|path|script|jarfile|manifest|`?Cargo\.toml|`?pyproject\.toml|`?package\.json|composer\.json|Gemfile|Dockerfile|Makefile|solution|project|tsconfig|configuration|workspace|module root|environment|conda environment)\b|\b(?:Could not|Cannot|Can't|cannot|couldn't|could not|can't) (?:open|read|stat|access|find|load) ["'`]?(?:\.{0,2}[/\\~]|[A-Za-z]:\\)?[\w./\\-]{1,200}\.\w{1,8}["'`]?(?:[:.,]|$|\s)|\bNot found: (?:\/|\.|[A-Za-z]:\\)|\bcan't open file\b|\bFile not found\b|\bfile not found\b|\bfile_not_found\b|^\S{0,40}: cannot open \S|\bcannot stat\b|\bCould not open input file\b|\bUnable to access jarfile/,
    except:
      /\bPermission|\bpermission|\bshared object|\bEACCES|\bdenied\b|\bld: |\bmodule\b|\berror TS\d|\bcommand or file\b/,
    example: "error: could not find `Cargo.toml` in `/srv/carts` or any parent directory",
    nearMiss: "we could not find the cart",
  },
  {
    id: "project-file-missing",
    kind: "file_not_found",
    level: "typed",
    confidence: 0.86,
    words: ["appear", "chart", "compose", "composer", "configuration", "couldn", "dockerfile", "files", "find", "folder", "found", "gemfile", "gradle", "importer", "items", "kustomization", "locate", "makefile", "manifest", "matching", "metadata", "mix", "mod", "msb", "msb1009", "needed", "neither", "notfound", "package", "pkg", "pom", "procfile", "provided", "pyproject", "rakefile", "requirements", "resolve", "setup", "such", "toml", "ts18003", "ts5057", "ts5058", "ts5083", "ts6053", "tsconfig", "vagrantfile", "virtual", "xml", "yml"],
    pattern:
      /\bno makefile found\b|\bNo configuration files\b|\bgo\.mod file not found|\bgo: cannot find main module|\bno Go files in\b|\b[Nn]o `?pyproject\.toml`? (?:file )?(?:was )?found|\b[Nn]o `?(?:package\.json|tsconfig\.json|Gemfile|composer\.json|Cargo\.toml|pom\.xml|mix\.exs|build\.gradle|Dockerfile|docker-compose\.ya?ml|Chart\.yaml|Vagrantfile|Rakefile|Procfile|kustomization\.yaml|setup\.py|requirements\.txt)\b.{0,20}(?:found|exists|was found)|\bCould not (?:locate|find) (?:a )?(?:Gemfile|pyproject\.toml|composer\.json)|\bERR_PNPM_NO_(?:PKG_MANIFEST|IMPORTER_MANIFEST_FOUND)|\b[Nn]o virtual environment found|\bthere is no POM in this directory|\bMSB100[39]\b|\bMSB1009\b|\bdoes not appear to contain CMakeLists\.txt|\bNo rule to make target '[^']{1,120}', needed by|\bTS(?:5057|5058|5083|6053|18003)\b|\bno configuration file provided\b|\bNo such (?:container|image|volume|network|service|object): \S|\bError from server \(NotFound\)|\bNo files matching the pattern|\bNeither 'setup\.py' nor 'pyproject\.toml' found|\bcouldn't find an? (?:eslint\.config|configuration file)|\bNo test files found\b|\bcollected 0 items \/ 1 error|\bERROR: (?:file or directory )?not found: |\bdoes not contain a Gradle build|\bCould not find a(?:ny)? (?:package\.json|valid config|production build)\b|\bmanifest (?:for .{1,160} )?not found|\bmanifest unknown\b|: failed to resolve source metadata for .{1,160}: not found|\bnot a local folder\b.{0,20}$|\bCould not resolve to a \w/,
    example: "make: *** No targets specified and no makefile found.  Stop.",
    nearMiss: "the makefile was found",
  },
  {
    id: "windows-file-not-found",
    kind: "file_not_found",
    level: "exact",
    confidence: 0.95,
    words: ["chemin", "find", "itemnotfoundexception", "kann", "não", "pathnotfound", "puede", "spécifié", "system", "trovare", "winerror", "удается", "定さ", "的檔", "系统", "路徑", "지정"],
    pattern:
      /\b[Tt]he system cannot find the (?:file|path|drive) specified|\bCannot find (?:path|drive)\b|\bPathNotFound,|\bItemNotFoundException\b|\[WinError [23]\]|\bCould not find (?:a part of the path|file)\b|\b(?:System )?kann (?:die angegebene Datei|den angegebenen Pfad) nicht finden|\bfichier spécifié est introuvable|\bchemin d[’']accès spécifié est introuvable|\bno puede (?:encontrar|hallar) (?:el archivo|la ruta) especificad|\bImpossibile trovare il (?:file|percorso) specificato|\bnão (?:pode|conseguiu) (?:encontrar|localizar) o (?:arquivo|caminho) especificado|не удается найти указанный (?:файл|путь)|系统找不到指定的|找不到指定的(?:檔案|路徑)|指定された(?:ファイル|パス)が見つかりません|지정된 (?:파일|경로)을? ?(?:를 )?찾을 수 없/i,
    example: "The system cannot find the path specified.",
    nearMiss: "the system found the path",
  },
  {
    id: "file-not-found-locales",
    kind: "file_not_found",
    level: "exact",
    confidence: 0.95,
    words: ["bestaat", "bir", "directoria", "diretório", "eller", "encontrado", "existe", "fichier", "fil", "gefunden", "ilyen", "introuvable", "nebo", "non", "pasta", "tai", "takiego", "trovato", "verzeichnis", "або", "такого", "такъв", "その", "有那", "沒有", "그런"],
    pattern:
      /Datei oder Verzeichnis nicht gefunden|Aucun fichier ou (?:dossier|répertoire) de ce (?:type|nom)|No existe el (?:fichero|archivo) o el directorio|No existe (?:tal|ese) (?:archivo|fichero)|File o directory non esistente|Arquivo ou diretório (?:inexistente|não encontrado)|Ficheiro ou (?:directoria|pasta|diretório) inexistente|Bestand of map bestaat niet|Nie ma takiego pliku ani katalogu|Нет такого файла или каталога|Немає такого файл[ау] або каталогу|Няма такъв файл или директория|Böyle bir dosya ya da dizin yok|Filen eller katalogen finns inte|Ingen s(?:å|l)[a-zå]{1,4} fil eller filkatalog|Tiedostoa tai hakemistoa ei ole|(?:Adresář nebo soubor|Soubor nebo adresář) neexistuje|Nincs ilyen fájl vagy könyvtár|没有那个文件或目录|沒有此一檔案或目錄|そのようなファイルやディレクトリはありません|그런 파일이나 디렉(?:터|토)리가 없|(?:introuvable|nicht gefunden|no encontrado|non trovato|não encontrado)\s?: ?.{0,40}(?:fichier|datei|archivo|file)/,
    example: "cat: carts.txt: Datei oder Verzeichnis nicht gefunden",
    nearMiss: "die Datei liegt im Verzeichnis",
  },
  {
    id: "git-paths",
    kind: "file_not_found",
    level: "exact",
    confidence: 0.7,
    words: ["appear", "chemin", "fatal", "pathspec", "repository", "something", "stimmt"],
    pattern:
      /\bpathspec '.{1,200}' did not match|Pfadspezifikation '.{1,200}' stimmt mit keine|spécificateur de chemin '.{1,200}' ne correspond|\bfatal: repository '[^']{1,200}' (?:does not exist|not found)|\bfatal: '.{1,200}' does not appear to be a git repository|\bfatal: path '.{1,200}' (?:does not exist|exists on disk, but not)|\bnot something we can merge\b/,
    example: "error: pathspec 'carts' did not match any file(s) known to git",
    nearMiss: "the pathspec matched",
  },
];
