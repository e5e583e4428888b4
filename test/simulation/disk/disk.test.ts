/** The simulated disk: what a power cut may take, and what it may not. */
import assert from "node:assert/strict";
import { constants } from "node:fs";
import { describe, it } from "node:test";
import { Kernel } from "../kernel/kernel.ts";
import { Disk } from "./disk.ts";

const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;

function readText(disk: Disk, path: string): string | undefined {
  const inode = disk.find(path);
  return inode?.kind === "file" ? new TextDecoder().decode(inode.readAll()) : undefined;
}

/** What is in a file after a power cut, over many seeds; "-" where there is none. */
function cutOften(prepare: (disk: Disk) => void): Set<string> {
  const seen = new Set<string>();
  for (let seed = 0; seed < 200; seed += 1) {
    const disk = new Disk(new Kernel({ seed }), "test");
    prepare(disk);
    disk.cutPower();
    seen.add(readText(disk, "/file") ?? "-");
  }
  return seen;
}

describe("a power cut on the simulated disk", () => {
  const write = (disk: Disk, text: string): (() => void) =>
    disk.write(disk.open("/file", CREATE, 0o600), new TextEncoder().encode(text), undefined).settle;

  it("keeps what was synced with its folder, and any part of what was written after that", () => {
    const seen = cutOften((disk) => {
      write(disk, "synced ");
      disk.root.sync();
      disk.find("/file")?.sync();
      write(disk, "not");
    });
    assert.ok([...seen].every((text) => text.startsWith("synced ")));
    assert.deepEqual(
      ["synced ", "synced n", "synced not"].filter((text) => !seen.has(text)),
      [],
    );
  });

  it("may take a synced file whose name was not synced", () => {
    const seen = cutOften((disk) => {
      write(disk, "synced");
      disk.find("/file")?.sync();
    });
    assert.deepEqual([...seen].sort(), ["-", "synced"]);
  });

  it("keeps a write that was durable by itself, and not what was written before it", () => {
    const seen = cutOften((disk) => {
      write(disk, "ab");
      disk.root.sync();
      write(disk, "cd")();
    });
    assert.ok([...seen].every((text) => text.endsWith("cd")));
    assert.ok(seen.has("\0\0cd") && seen.has("abcd"));
  });

  it("leaves one of both names of a renamed file, and never both or none", () => {
    const seen = cutOften((disk) => {
      write(disk, "old");
      disk.find("/file")?.sync();
      disk.root.sync();
      const other = disk.open("/other", CREATE, 0o600);
      disk.write(other, new TextEncoder().encode("new"), undefined).settle();
      disk.rename("/other", "/file");
    });
    assert.deepEqual([...seen].sort(), ["new", "old"]);
  });
});

describe("a changed bit on the simulated disk", () => {
  it("is in a file of a store, before the last batch of a journal, until it is repaired", () => {
    const lines = [1, 2, 2].map((batch, at) => `0123abcd {"lsn":${at + 1},"batch":${batch},"ops":[]}\n`);
    const text = lines.join("");
    const changed = new Set<number>();
    for (let seed = 0; seed < 200; seed += 1) {
      const disk = new Disk(new Kernel({ seed }), "test");
      for (const path of ["/shop.000001.journal", "/notes.txt"]) {
        const file = disk.open(path, CREATE, 0o600);
        disk.write(file, new TextEncoder().encode(text), undefined).settle();
      }
      assert.match(disk.decay() ?? "", /^\/shop\.000001\.journal at byte \d+$/u);
      const found = readText(disk, "/shop.000001.journal") ?? "";
      assert.notEqual(found, text);
      assert.equal(readText(disk, "/notes.txt"), text);
      changed.add(text.split("").findIndex((character, at) => character !== found[at]));
      disk.repair();
      assert.equal(readText(disk, "/shop.000001.journal"), text);
    }
    // The end of the first line stays: without it, both lines would be the last.
    assert.ok([...changed].every((at) => at < (lines[0] ?? "").length - 1));
    assert.ok(changed.size > 20);
  });
});
