/** Small files that are written whole and once, such as keys. */
import type { FileLayer } from "./file-layer.ts";

/** The text of a file, or undefined when there is none. */
export async function readKeptFile(files: FileLayer, path: string): Promise<string | undefined> {
  const chunks = await files.readChunks(path);
  if (chunks === undefined) return undefined;
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text;
}

/** Writes a file in `folder` under a temporary name, syncs it and renames it; 0600 by the file layer. */
export async function writeKeptFile(
  files: FileLayer,
  place: { folder: string; name: string },
  text: string,
): Promise<void> {
  const path = `${place.folder}/${place.name}`;
  const partial = `${path}.new`;
  const file = await files.openAppend(partial, { truncate: true });
  try {
    await file.append(new TextEncoder().encode(text));
    await file.datasync();
  } finally {
    await file.close();
  }
  await files.rename(partial, path);
  await files.syncFolder(place.folder);
}
