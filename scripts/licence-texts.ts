/** The licence texts of packages that go into a bundle: their licences ask for it. */
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { projectFolder } from "./process.ts";

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

/** The folders of the packages that these files belong to, relative to the project's. */
export function findPackageFolders(files: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    const match = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(file);
    if (match !== null) folders.add(match[0]);
  }
  return [...folders].sort();
}

/** One text: name, version and licence of each package, and what its licence file says; each is in one of the `roots`. */
export async function readLicenceTexts(
  folders: readonly string[],
  roots: readonly string[] = [projectFolder],
): Promise<string> {
  const parts: string[] = [];
  for (const folder of folders) {
    const path = roots.map((root) => join(root, folder)).find(existsSync) ?? folder;
    const {
      name,
      version,
      license = "see its source",
    } = manifest.parse(JSON.parse(await readFile(join(path, "package.json"), "utf8")));
    const file = (await readdir(path)).find((entry) => /^(?:licen[cs]e|copying)(?:\.|$)/iu.test(entry));
    const text =
      file === undefined
        ? ""
        : `\n\n${(await readFile(join(path, file), "utf8")).replaceAll("\r\n", "\n").trim()}`;
    parts.push(`${name} ${version}: ${license}${text}\n`);
  }
  return parts.join(`\n${"-".repeat(78)}\n`);
}
