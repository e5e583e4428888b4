/** Bytes read and written by the disks, from /proc/diskstats. */

/** Bytes since boot. */
export interface DiskTraffic {
  readonly readBytes: number;
  readonly writtenBytes: number;
}

// The kernel counts in sectors of 512 bytes whatever the disk's own are (Documentation/admin-guide/iostats.rst).
const SECTOR_BYTES = 512;
const wholeDisk = /^(?:[shv]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|mmcblk\d+|dasd[a-z]+|pmem\d+)$/u;
const partition = /^((?:[shv]d|xvd|dasd)[a-z]+|nvme\d+n\d+(?=p)|mmcblk\d+(?=p))p?\d+$/u;

/** The whole disks in the text of /proc/diskstats, by name. */
export function parseDisks(text: string): ReadonlyMap<string, DiskTraffic> {
  const lines = text.split("\n").map((line) => line.trim().split(/\s+/u));
  const names = new Set(lines.map((columns) => columns[2]));
  const disks = new Map<string, DiskTraffic>();
  for (const columns of lines) {
    const name = columns[2];
    if (name === undefined) continue;
    // Some clouds show a partition (xvda1) without its disk: then it stands for it.
    const parent = partition.exec(name)?.[1];
    if (!wholeDisk.test(name) && (parent === undefined || names.has(parent))) continue;
    const read = Number(columns[5]);
    const written = Number(columns[9]);
    if (!Number.isFinite(read) || !Number.isFinite(written)) continue;
    disks.set(name, { readBytes: read * SECTOR_BYTES, writtenBytes: written * SECTOR_BYTES });
  }
  return disks;
}
