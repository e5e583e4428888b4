/** CRC-32, bit by bit as ISO 3309 has it: slow, and written apart from the one that it is compared with. */
export function crc32(text: string): number {
  let crc = 0xffffffffn;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit += 1) crc = crc % 2n === 1n ? (crc / 2n) ^ 0xedb88320n : crc / 2n;
  }
  return Number(crc ^ 0xffffffffn);
}
