/**
 * Disk, memory and crashes of a process. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const RESOURCES: readonly Rule[] = [
  {
    id: "no-space",
    kind: "disk_full",
    level: "verdict",
    confidence: 0.98,
    words: ["device", "disk", "edquot", "enospc", "enough", "filesystem", "insufficient", "space", "storage", "tablespace", "winerror"],
    pattern:
      /\bNo space left on device\b|\bENOSPC\b|\bEDQUOT\b|\b[Dd]isk quota exceeded\b|\bnot enough (?:free )?(?:disk )?space\b|\bnot enough (?:free )?space on (?:the )?(?:disk|device|drive|volume)|\binsufficient (?:free )?(?:disk )?space\b|\bdisk (?:is )?full\b|\bDisk (?:is )?full\b|\bdisk full\?|\bout of disk space\b|\byou don't have enough free space\b|\b(?:no|low|little) (?:free |remaining )?disk space\b|\brun out of (?:disk )?space\b|\bran out of disk\b|\bdatabase or disk is full\b|\[WinError 112\]|\bno space left\b|\bTablespace .{1,40}full\b|\bStorage (?:is )?full\b|\bDisk space .{0,30}exhausted|\bfilesystem (?:is )?full\b/i,
    except: /\bfile watchers\b|\binotify\b|\baddress space\b|\bSystem limit for number/i,
    example: "cp: error writing 'carts.db': No space left on device",
    nearMiss: "Error: ENOSPC: System limit for number of file watchers reached, watch '/srv'",
  },
  {
    id: "disk-locales",
    kind: "disk_full",
    level: "verdict",
    confidence: 0.97,
    words: ["espacio", "espaço", "genug", "genugend", "mer", "mere", "miejsca", "ole", "onvoldoende", "queda", "ruimte", "spazio", "speicherplatz", "sur", "volné", "yer", "är", "недостаточно", "немає", "осталось", "ィス", "デバ", "磁盘", "磁碟", "裝置", "设备", "디스", "장치"],
    pattern:
      /kein Speicherplatz mehr verfügbar|nicht genug(?:end)? Speicherplatz|(?:Aucun espace disponible|Plus d'espace|Espace insuffisant) sur le (?:périphérique|disque)|No queda espacio en (?:el )?(?:dispositivo|disco)|Espacio (?:en disco )?insuficiente|Spazio (?:esaurito|insufficiente|sul dispositivo esaurito)|(?:Não há|Sem) espaço (?:disponível )?(?:no|em) (?:dispositivo|disco)|Espaço insuficiente|Geen ruimte meer over|Onvoldoende schijfruimte|Brak miejsca na (?:urządzeniu|dysku)|не осталось свободного места|Недостаточно места|Немає місця|Aygıtta yer kalmadı|Enheten är full|Ikke mer plass|Ikke mere plads|Laitteella ei ole tilaa|není volné místo|设备上没有空间|磁盘空间不足|裝置上已無|磁碟空間不足|デバイスに空き領域がありません|ディスクに十分な空き|장치에 남은 공간이 없|디스크 공간이 부족/i,
    example: "cp: Fehler beim Schreiben: Auf dem Gerät ist kein Speicherplatz mehr verfügbar",
    nearMiss: "der Speicherplatz reicht",
  },
  {
    id: "heap-exhausted",
    kind: "out_of_memory",
    level: "verdict",
    confidence: 0.98,
    words: ["alloc", "allocate", "allocation", "bytes", "cuda", "enlarge", "enomem", "enough", "exhausted", "heap", "insufficient", "javascript", "memory", "memoryerror", "nomemoryerror", "oom", "oomkilled", "outofmemoryerror", "outofmemoryexception", "overhead", "paging", "ran", "requires", "reserve", "runtime", "storage", "virtual", "winerror"],
    pattern:
      /\bJavaScript heap out of memory|\bReached heap limit Allocation failed|\bOutOfMemory(?:Error|Exception)\b|^(?:\S{0,40}\.)?MemoryError\b|\bOOMKilled\b|\boom-kill(?:er|:)|\bOut of memory: Kill|\bstd::bad_alloc\b|\bnot enough memory\b|\b[Oo]ut of memory\b|\bAllowed memory size of \d{1,14} bytes exhausted|\b[Cc]annot allocate memory\b|\bENOMEM\b|\bvirtual memory exhausted|\bfailed to (?:allocate|reserve) memory|\bUnable to allocate .{1,40} for an array|\bmemory allocation of \d{1,14} bytes failed|\bNoMemoryError\b|\bGC overhead limit exceeded|\bJava heap space\b|\binsufficient (?:system )?memory\b|\brequires more system memory|\b[Mm]emory limit (?:of .{1,30} )?(?:exceeded|reached)|\bCUDA (?:error: )?out of memory|\bexceed(?:ed|s) (?:the )?memory limit|\bpaging file is too small|\[WinError (?:8|1455)\]|\bfatal error: runtime: out of memory|\bcould not allocate memory\b|\binsufficient memory for the Java Runtime|\bmemory exhausted\b|\bstorage_alloc.{0,20}failed|\bran out of memory\b|\bheap exhausted\b|\bCannot enlarge memory\b/,
    except: /\bconversation memory\b|\bout of memory lane\b/i,
    example: "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    nearMiss: "a memory of the heap of carts",
  },
  {
    id: "killed-by-kernel",
    kind: "out_of_memory",
    level: "exact",
    confidence: 0.85,
    words: ["exit", "exited", "killed", "likely", "sigkill", "signal", "terminated", "worker"],
    pattern:
      /^(?:\S{0,120}: line \d{1,6}:\s{1,3}\d{1,8} )?Killed\b|\bfatal error: Killed signal terminated program|\bsignal: killed\b|\(signal: 9, SIGKILL|\bterminated by signal (?:9|SIGKILL)|\bexit(?:ed)? (?:with )?(?:code|status)? ?137\b|\bwas killed by signal 9|\bWorker .{0,60}SIGKILL|\bprocess .{0,30}terminated .{0,20}SIGKILL|\bThis is most likely because .{0,40}memory|\bsignal "?SIGKILL"?/,
    example: "make.sh: line 3: 41177 Killed                  cartctl build",
    nearMiss: "the deal was killed",
  },
  {
    id: "memory-locales",
    kind: "out_of_memory",
    level: "verdict",
    confidence: 0.95,
    words: ["allocare", "allouer", "alocar", "geen", "genügend", "kann", "memoria", "można", "mémoire", "peut", "pudo", "выделить", "исчерпана", "памяти", "メモ", "内存", "法分", "無法", "메모"],
    pattern:
      /Nicht genügend (?:Hauptspeicher|Speicher)|Speicher kann nicht (?:zugewiesen|reserviert)|(?:Impossible d'allouer|Ne peut allouer) de la mémoire|[Mm]émoire (?:épuisée|insuffisante)|No se pudo asignar memoria|[Mm]emoria (?:agotada|insuficiente|esaurita)|Impossibile allocare memoria|Não foi possível alocar memória|Невозможно выделить память|[Нн]едостаточно памяти|[Пп]амять исчерпана|Kan geen geheugen toewijzen|Nie można przydzielić pamięci|无法分配内存|内存(?:不足|耗尽)|メモリを確保できません|メモリが足りません|메모리를 할당할 수 없|메모리가 부족|無法配置記憶體/,
    example: "fork: Nicht genügend Hauptspeicher verfügbar",
    nearMiss: "der Speicher ist groß",
  },
  {
    id: "segfault",
    kind: "agent_crash",
    level: "typed",
    confidence: 0.9,
    words: ["bus", "de", "detected", "di", "double", "dumped", "exc", "fatal", "free", "instruction", "segfault", "segmentation", "sigbus", "sigill", "sigsegv", "smashing", "speicherzugriffsfehler", "violation", "сегментирования", "段错"],
    pattern:
      /\b[Ss]egmentation (?:fault|violation)\b|\bSIGSEGV\b|\bsegfault at\b|^Bus error\b|\bBus error \(core|\bAborted \(core dumped\)|\bIllegal instruction \(core|Speicherzugriffsfehler|[Ee]rreur de segmentation|Violación de segmento|Errore di segmentazione|Falha de segmentação|Ошибка сегментирования|段错误|\b[Aa]ccess violation\b|\bEXC_BAD_ACCESS\b|\bA fatal error has been detected by the Java Runtime|\bfree\(\): invalid pointer|\bdouble free or corruption|\*\*\* stack smashing detected|\bSIGILL\b|\bSIGBUS\b|\bFatal Python error: (?:Segmentation|Aborted)|\bcore dumped\b/,
    example: "Segmentation fault (core dumped)",
    nearMiss: "a segmentation of the market",
  },
  {
    id: "ollama-runner",
    kind: "out_of_memory",
    level: "typed",
    confidence: 0.8,
    words: ["longer", "signal"],
    pattern:
      /\brunner process has terminated: signal: killed|\brunner process no longer running: -?1? ?(?:9|137)\b/,
    example: "llama runner process has terminated: signal: killed",
    nearMiss: "the runner finished the process",
  },
];
