/** Where a store's files are: `<folder>/<name>.json`, and beside it those of each generation, which a compaction begins. */
import type { FileLayer } from "../../kit/files/file-layer.ts";
import type { Damage } from "../btree/block-sums.ts";

export interface StorePlace {
  readonly files: FileLayer;
  readonly folder: string;
  readonly name: string;
  /** Called when something that is read from these files is not what was written. */
  readonly onDamage?: ((damage: Damage) => void) | undefined;
}

/** Files of a generation: a journal, and the index file of its snapshot. */
export type GenerationFile = "journal" | "index";

export interface FoundFile {
  readonly path: string;
  readonly generation: number;
}

type Named = Pick<StorePlace, "folder" | "name">;

export function toSnapshotPath({ folder, name }: Named): string {
  return `${folder}/${name}.json`;
}

/** Temporary files: the next snapshot, keys that are being sorted for it, and a copy of a journal. Worthless after a crash. */
export function toWorkPaths(place: Named): [snapshot: string, keys: string, journal: string] {
  const path = toSnapshotPath(place);
  return [`${path}.tmp`, `${path}.keys.tmp`, `${path}.journal.tmp`];
}

/** The path of a file of a generation. */
export function toGenerationPath(
  { folder, name }: Named,
  { generation, kind }: { readonly generation: number; readonly kind: GenerationFile },
): string {
  return `${folder}/${name}.${String(generation).padStart(6, "0")}.${kind}`;
}

/** The files of one kind, oldest first. */
export async function listGenerations(
  { files, folder, name }: StorePlace,
  kind: GenerationFile,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const file of await files.list(folder)) {
    if (!file.startsWith(`${name}.`)) continue;
    const [, generation, extension] = /^(\d{6,})\.([a-z]+)$/u.exec(file.slice(name.length + 1)) ?? [];
    if (extension === kind) found.push({ path: `${folder}/${file}`, generation: Number(generation) });
  }
  return found.sort((a, b) => a.generation - b.generation);
}
