/** Checksums as the store's files have them. */

/** A CRC-32 (ISO 3309, as gzip) in eight hex digits. */
export function formatChecksum(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}
