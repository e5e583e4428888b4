/** A file that its owner may change at any time. */
import { readFile, stat } from "node:fs/promises";
import { codeOf, textOf } from "../../kit/thrown.ts";

/** What a look at the file gave; undefined: nothing new. */
export type FileNews =
  | { readonly kind: "content"; readonly bytes: Uint8Array }
  | { readonly kind: "gone" }
  | { readonly kind: "problem"; readonly problem: string }
  | undefined;

/** Watches `path`; files over `maxBytes` are not read. */
export function createFileWatch(path: string, maxBytes: number) {
  /** What tells one state of the file from another. */
  let known: string | undefined;

  async function read(): Promise<FileNews> {
    const found = await stat(path);
    const mark = `${found.ino} ${found.size} ${found.mtimeMs}`;
    if (mark === known) return undefined;
    known = mark;
    // A pipe would never end.
    if (!found.isFile()) return { kind: "problem", problem: "the path is not a file" };
    if (found.size > maxBytes)
      return { kind: "problem", problem: `the file is larger than ${maxBytes / 1024} KiB` };
    return { kind: "content", bytes: await readFile(path) };
  }

  return {
    /** Looks at the file. Never rejects. */
    async look(): Promise<FileNews> {
      try {
        return await read();
      } catch (error) {
        const code = codeOf(error);
        const mark = code ?? textOf(error);
        if (mark === known) return undefined;
        known = mark;
        if (code === "ENOENT" || code === "ENOTDIR") return { kind: "gone" };
        return { kind: "problem", problem: `the file cannot be read: ${mark}` };
      }
    },
  };
}
