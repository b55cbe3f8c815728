/**
 * Where WAL is safe: only on file systems known to be local, because WAL needs memory that all processes share.
 * Invariant: an unknown file system gets the safe mode.
 */
import { statfsSync } from "node:fs";

export type JournalMode = "wal" | "delete";

/** `statfs` types; the same numbers as in the kernel's magic.h, and APFS as macOS numbers it. */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs, as in containers
  0x3153464a, // JFS
  26, // APFS
]);

/** NFS, SMB, 9p, FUSE, virtiofs, shared folders of virtual machines and all unknown ones: no WAL. */
export function journalModeFor(type: number): JournalMode {
  return LOCAL.has(type >>> 0) ? "wal" : "delete";
}

export const fileSystemType = (folder: string): number => statfsSync(folder).type;
