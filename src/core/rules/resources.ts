/** Disk space, memory, and crashed processes. */
import { rule, type Rule } from "../classify/rule.ts";

export const RESOURCES: readonly Rule[] = [
  rule("no-space", "disk_full", "verdict", 0.98, {
    ignoreCase: true,
    lines: String.raw`
      device => \bNo space left on device\b
      enospc => \bENOSPC\b
      edquot => \bEDQUOT\b
      disk => \b[Dd]isk quota exceeded\b
      enough => \bnot enough (?:free )?(?:disk )?space\b
      enough => \bnot enough (?:free )?space on (?:the )?(?:disk|device|drive|volume)
      insufficient => \binsufficient (?:free )?(?:disk )?space\b
      disk => \bDisk (?:is )?full\b
      disk => \bdisk full\?
      disk => \bout of disk space\b
      enough => \byou don't have enough free space\b
      disk => \b(?:no|low|little) (?:free |remaining )?disk space\b
      space => \brun out of (?:disk )?space\b
      disk => \bran out of disk\b
      disk => \bdatabase or disk is full\b
      winerror => \[WinError 112\]
      space => \bno space left\b
      tablespace => \bTablespace .{1,40}full\b
      storage => \bStorage (?:is )?full\b
      disk => \bDisk space .{0,30}exhausted
      filesystem => \bfilesystem (?:is )?full\b
      wrote => \bWrote only \d{1,12} of \d{1,12} bytes\b
    `,
    unless: String.raw`
      \bfile watchers\b
      \binotify\b
      \baddress space\b
      \bSystem limit for number
    `,
  }),
  rule("disk-locales", "disk_full", "verdict", 0.97, {
    ignoreCase: true,
    lines: String.raw`
      speicherplatz => kein Speicherplatz mehr verfügbar
      genug,genugend => nicht genug(?:end)? Speicherplatz
      espace => (?:Aucun espace disponible|Plus d'espace) sur le (?:périphérique|disque)
      insuffisant => Espace insuffisant sur le (?:périphérique|disque)
      queda => No queda espacio en (?:el )?(?:dispositivo|disco)
      espacio => Espacio (?:en disco )?insuficiente
      spazio => Spazio (?:esaurito|insufficiente|sul dispositivo esaurito)
      espaço => (?:Não há|Sem) espaço (?:disponível )?(?:no|em) (?:dispositivo|disco)
      espaço => Espaço insuficiente
      ruimte => Geen ruimte meer over
      onvoldoende => Onvoldoende schijfruimte
      miejsca => Brak miejsca na (?:urządzeniu|dysku)
      осталось => не осталось свободного места
      недостаточно => Недостаточно места
      немає => Немає місця
      yer => Aygıtta yer kalmadı
      är => Enheten är full
      mer => Ikke mer plass
      mere => Ikke mere plads
      ole => Laitteella ei ole tilaa
      volné => není volné místo
      设备 => 设备上没有空间
      磁盘 => 磁盘空间不足
      裝置 => 裝置上已無
      磁碟 => 磁碟空間不足
      デバ => デバイスに空き領域がありません
      ィス => ディスクに十分な空き
      장치 => 장치에 남은 공간이 없
      디스 => 디스크 공간이 부족
    `,
  }),
  rule("heap-exhausted", "out_of_memory", "verdict", 0.98, {
    lines: String.raw`
      javascript => \bJavaScript heap out of memory
      allocation => \bReached heap limit Allocation failed
      outofmemoryerror,outofmemoryexception => \bOutOfMemory(?:Error|Exception)\b
      memoryerror => ^(?:\S{0,40}\.)?MemoryError\b
      oomkilled => \bOOMKilled\b
      oom => \boom-kill(?:er|:)
      memory => \bOut of memory: Kill
      alloc => \bstd::bad_alloc\b
      enough => \bnot enough memory\b
      memory => \b[Oo]ut of memory\b
      bytes => \bAllowed memory size of \d{1,14} bytes exhausted
      allocate => \b[Cc]annot allocate memory\b
      enomem => \bENOMEM\b
      virtual => \bvirtual memory exhausted
      allocate,reserve => \bfailed to (?:allocate|reserve) memory
      allocate => \bUnable to allocate .{1,40} for an array
      bytes => \bmemory allocation of \d{1,14} bytes failed
      nomemoryerror => \bNoMemoryError\b
      overhead => \bGC overhead limit exceeded
      heap => \bJava heap space\b
      insufficient => \binsufficient (?:system )?memory\b
      requires => \brequires more system memory
      memory => \b[Mm]emory limit (?:of .{1,30} )?(?:exceeded|reached)
      cuda => \bCUDA (?:error: )?out of memory
      memory => \bexceed(?:ed|s) (?:the )?memory limit
      paging => \bpaging file is too small
      winerror => \[WinError (?:8|1455)\]
      runtime => \bfatal error: runtime: out of memory
      allocate => \bcould not allocate memory\b
      insufficient => \binsufficient memory for the Java Runtime
      exhausted => \bmemory exhausted\b
      storage => \bstorage_alloc.{0,20}failed
      ran => \bran out of memory\b
      exhausted => \bheap exhausted\b
      enlarge => \bCannot enlarge memory\b
      memory => \bmore (?:GPU |system |video )?memory (?:\(.{1,20}\) )?than\b
    `,
    unless: String.raw`
      \bconversation memory\b
      \bout of memory lane\b
    `,
  }),
  rule("killed-by-kernel", "out_of_memory", "exact", 0.85, {
    lines: String.raw`
      killed => ^(?:\S{0,120}: line \d{1,6}:\s{1,3}\d{1,8} )?Killed\b
      killed => \bfatal error: Killed signal terminated program
      killed => \bsignal: killed\b
      signal => \(signal: 9, SIGKILL
      signal => \bterminated by signal (?:9|SIGKILL)
      exit,exited => \bexit(?:ed)? (?:with )?(?:code|status)? ?137\b
      killed => \bwas killed by signal 9
      worker => \bWorker .{0,60}SIGKILL
      terminated => \bprocess .{0,30}terminated .{0,20}SIGKILL
      likely => \bThis is most likely because .{0,40}memory
      sigkill => \bsignal "?SIGKILL"?
    `,
  }),
  rule("memory-locales", "out_of_memory", "verdict", 0.95, {
    lines: String.raw`
      genügend => Nicht genügend (?:Hauptspeicher|Speicher)
      kann => Speicher kann nicht (?:zugewiesen|reserviert)
      allouer,peut => (?:Impossible d'allouer|Ne peut allouer) de la mémoire
      mémoire => [Mm]émoire (?:épuisée|insuffisante)
      pudo => No se pudo asignar memoria
      memoria => [Mm]emoria (?:agotada|insuficiente|esaurita)
      allocare => Impossibile allocare memoria
      alocar => Não foi possível alocar memória
      выделить => Невозможно выделить память
      памяти => [Нн]едостаточно памяти
      исчерпана => [Пп]амять исчерпана
      geen => Kan geen geheugen toewijzen
      można => Nie można przydzielić pamięci
      法分 => 无法分配内存
      内存 => 内存(?:不足|耗尽)
      メモ => メモリを確保できません
      メモ => メモリが足りません
      메모 => 메모리를 할당할 수 없
      메모 => 메모리가 부족
      無法 => 無法配置記憶體
    `,
  }),
  rule("segfault", "agent_crash", "typed", 0.9, {
    lines: String.raw`
      segmentation => \b[Ss]egmentation (?:fault|violation)\b
      sigsegv => \bSIGSEGV\b
      segfault => \bsegfault at\b
      bus => ^Bus error\b
      bus => \bBus error \(core
      dumped => \bAborted \(core dumped\)
      instruction => \bIllegal instruction \(core
      speicherzugriffsfehler => Speicherzugriffsfehler
      de => [Ee]rreur de segmentation
      de => Violación de segmento
      di => Errore di segmentazione
      de => Falha de segmentação
      сегментирования => Ошибка сегментирования
      段错 => 段错误
      violation => \b[Aa]ccess violation\b
      exc => \bEXC_BAD_ACCESS\b
      detected => \bA fatal error has been detected by the Java Runtime
      free => \bfree\(\): invalid pointer
      double => \bdouble free or corruption
      smashing => \*\*\* stack smashing detected
      sigill => \bSIGILL\b
      sigbus => \bSIGBUS\b
      fatal => \bFatal Python error: (?:Segmentation|Aborted)
      dumped => \bcore dumped\b
    `,
  }),
  rule("ollama-runner", "out_of_memory", "typed", 0.8, {
    lines: String.raw`
      signal => \brunner process has terminated: signal: killed
      longer => \brunner process no longer running: -?1? ?(?:9|137)\b
    `,
  }),
  rule("interpreter-memory", "out_of_memory", "typed", 0.96, {
    lines: String.raw`
      vector => \bcannot allocate vector of (?:size|length)\b
      exhausted => \b[Hh]eap exhausted\b
      exhausted => \bvirtual memory exhausted\b
      allocate => \bcannot allocate memory block of size\b
    `,
  }),
  rule("shell-saw-crash", "agent_crash", "exact", 0.85, {
    sources: ["agent"],
    lines: String.raw`
      trap => ^\S{1,40}: line \d{1,6}: {1,6}\d{1,9} Trace/breakpoint trap\b
      illegal,bus,aborted => ^\S{1,40}: line \d{1,6}: {1,6}\d{1,9} (?:Illegal instruction|Bus error|Aborted)\b
    `,
  }),
  rule("native-assertion", "agent_crash", "exact", 0.85, {
    sources: ["agent"],
    lines: String.raw`
      assertion => ^[\s#]{0,8}Assertion failed: .{0,200}(?:uv_|node::|v8::)
      fatal => ^# Fatal error in 
    `,
  }),
];
