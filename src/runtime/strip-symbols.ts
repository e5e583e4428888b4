/** What `strip` of binutils does to a program for Linux of 64 bits, for every processor and without binutils. */

/** Places in the headers of ELF64: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html */
const file = { segments: 0x20, sections: 0x28, segmentCount: 0x38, sectionCount: 0x3c, namesIndex: 0x3e };
const segment = { bytes: 56, offset: 8, size: 32 };
const section = { bytes: 64, flags: 8, offset: 24, size: 32 };
const MAGIC = 0x7f_45_4c_46;
const IS_LOADED = 2;

/**
 * The program without symbols and debugging information: only what the kernel loads, with the headers of those sections,
 * so that other tools can still read it. Calls between it and its libraries have their names elsewhere.
 * @throws Error when this is no ELF file of 64 bits with the lowest byte first
 */
export function stripSymbols(program: Buffer): Buffer {
  if (program.readUInt32BE(0) !== MAGIC || program[4] !== 2 || program[5] !== 1)
    throw new Error("This is not an ELF program of 64 bits, little-endian");
  const readPlace = (at: number): number => Number(program.readBigUInt64LE(at));
  const rows = (at: number, bytes: number, count: number): number[] =>
    Array.from({ length: program.readUInt16LE(count) }, (_, index) => readPlace(at) + index * bytes);
  const ends = rows(file.segments, segment.bytes, file.segmentCount).map(
    (at) => readPlace(at + segment.offset) + readPlace(at + segment.size),
  );
  const end = Math.max(...ends);
  const all = rows(file.sections, section.bytes, file.sectionCount);
  const names = all[program.readUInt16LE(file.namesIndex)];
  // Sections refer to each other by number, so only those in front of the first that is not loaded are kept.
  // Section 0 is empty by definition.
  const gap = all.findIndex((at, index) => index > 0 && (readPlace(at + section.flags) & IS_LOADED) === 0);
  if (names === undefined || gap === -1) return program;
  const nameBytes = program.subarray(
    readPlace(names + section.offset),
    readPlace(names + section.offset) + readPlace(names + section.size),
  );
  const kept = [...all.slice(0, gap), names].map((at) =>
    Buffer.from(program.subarray(at, at + section.bytes)),
  );
  kept.at(-1)?.writeBigUInt64LE(BigInt(end), section.offset);
  const filler = Buffer.alloc((8 - ((end + nameBytes.length) % 8)) % 8);
  const stripped = Buffer.concat([program.subarray(0, end), nameBytes, filler, ...kept]);
  stripped.writeBigUInt64LE(BigInt(end + nameBytes.length + filler.length), file.sections);
  stripped.writeUInt16LE(kept.length, file.sectionCount);
  stripped.writeUInt16LE(kept.length - 1, file.namesIndex);
  return stripped;
}
