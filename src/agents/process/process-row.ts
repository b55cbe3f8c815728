/** One process as the system shows it. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not tell. */
  readonly session: number;
  /** Has a controlling terminal. */
  readonly terminal: boolean;
  /** Opaque; equal for one process at all times, different for a later one with the same pid. */
  readonly startTime: string;
  /** User and system time of the process and of its ended children. */
  readonly cpuMs: number;
  /** Dead, only not yet collected by its parent. */
  readonly ended: boolean;
  /** UNSTUCK_ATTEMPT in its environment is the asked id, or a part of it (`id:part`). */
  readonly marked: boolean;
  readonly name: string;
}
