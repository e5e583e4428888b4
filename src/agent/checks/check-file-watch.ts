/** A file that its owner may change at any time. */
import { readFile, stat } from "node:fs/promises";
import { codeOf, textOf } from "../../kit/thrown.ts";

/** Result of reading the file; undefined: unchanged. */
export type FileNews =
  | { readonly kind: "content"; readonly bytes: Uint8Array }
  | { readonly kind: "gone" }
  | { readonly kind: "problem"; readonly problem: string }
  | undefined;

/** Watches `path`; files over `maxBytes` are not read. */
export function createFileWatch(path: string, maxBytes: number) {
  /** Identifies a version of the file. */
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
