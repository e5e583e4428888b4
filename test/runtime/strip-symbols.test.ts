/** Programs without their symbols: real ones of this machine, which must still run and be smaller. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { stripSymbols } from "../../src/runtime/strip-symbols.ts";
import { findProgram, skipWithoutNode } from "../support/missing.ts";

/** A file's sections: whether each is loaded, and where its bytes are. */
function readSections(program: Buffer): { isLoaded: boolean; type: number; at: number; size: number }[] {
  const table = Number(program.readBigUInt64LE(0x28));
  return Array.from({ length: program.readUInt16LE(0x3c) }, (_, index) => {
    const at = table + index * 64;
    return {
      isLoaded: (program[at + 8] ?? 0) % 4 >= 2,
      type: program.readUInt32LE(at + 4),
      at: Number(program.readBigUInt64LE(at + 24)),
      size: Number(program.readBigUInt64LE(at + 32)),
    };
  });
}

describe("stripSymbols", () => {
  it(
    "leaves a Node that runs, with its loaded sections and their names alone",
    { skip: skipWithoutNode() },
    async () => {
      const program = await readFile(findProgram("node") ?? "");
      const stripped = stripSymbols(program);
      const [none, ...sections] = readSections(stripped);
      assert.equal(none?.type, 0);
      const names = sections.pop();
      assert.ok(sections.length > 10 && sections.every(({ isLoaded }) => isLoaded));
      const text = stripped.toString("latin1", names?.at, (names?.at ?? 0) + (names?.size ?? 0));
      assert.match(text, /\0\.text\0/u);
      const folder = await mkdtemp(join(tmpdir(), "trivet-strip-"));
      try {
        const file = join(folder, "node");
        await writeFile(file, stripped);
        await chmod(file, 0o755);
        assert.equal(execFileSync(file, ["-p", "6 * 7"], { encoding: "utf8" }), "42\n");
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  it("removes symbols that a program has, once", () => {
    // A header, one segment of 16 bytes, then symbols and the names of sections.
    const program = Buffer.alloc(64 + 56 + 16 + 100 + 8 + 4 * 64);
    program.writeUInt32BE(0x7f_45_4c_46, 0);
    program.set([2, 1], 4);
    program.writeBigUInt64LE(64n, 0x20);
    program.writeUInt16LE(1, 0x38);
    program.writeBigUInt64LE(244n, 0x28);
    program.writeUInt16LE(4, 0x3c);
    program.writeUInt16LE(3, 0x3e);
    program.writeBigUInt64LE(120n, 64 + 8);
    program.writeBigUInt64LE(16n, 64 + 32);
    const write = (index: number, flags: bigint, at: bigint, size: bigint): void => {
      program.writeBigUInt64LE(flags, 244 + index * 64 + 8);
      program.writeBigUInt64LE(at, 244 + index * 64 + 24);
      program.writeBigUInt64LE(size, 244 + index * 64 + 32);
    };
    write(1, 2n, 120n, 16n);
    write(2, 0n, 136n, 100n);
    write(3, 0n, 236n, 8n);
    program.write("\0.text\0\0", 236);
    const stripped = stripSymbols(program);
    assert.equal(program.length - stripped.length, 100 + 64);
    assert.deepEqual(
      readSections(stripped).map(({ at, size }) => [at, size]),
      [
        [0, 0],
        [120, 16],
        [136, 8],
      ],
    );
    assert.equal(stripped.toString("latin1", 136, 144), "\0.text\0\0");
    assert.deepEqual(stripSymbols(stripped), stripped);
  });

  it("rejects what is no such program", () => {
    assert.throws(() => stripSymbols(Buffer.from("#!/bin/sh\nexit 0\n")), /not an ELF program/u);
  });
});
