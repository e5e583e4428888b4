/**
 * Blobs that are held back from removal while a backup copies the records that may still name them. A backup leaves a
 * file next to the folder of blobs that says until when; blobs that are removed meanwhile are renamed, so that they
 * are no longer served, and deleted once nothing holds them.
 */
import { newId } from "../../kit/secrets/id.ts";
import type { FileLayer } from "../../kit/files/file-layer.ts";
import { type Clock, systemClock } from "../../kit/time/clock.ts";

/** Suffix of a removed blob while it is held. */
export const HELD = ".held";
/** A backup that was killed holds nothing for longer than this. */
const HOLD_MS = 120_000;
const RENEW_MS = 20_000;
const MAX_BYTES = 32;

type HoldFiles = Pick<FileLayer, "list" | "readRange">;

/** The folder above, and what the names of holds begin with. */
function toPlace(folder: string): { readonly parent: string; readonly start: string } {
  const [, parent = ".", name = folder] = /^(.*)\/([^/]+)$/u.exec(folder) ?? [];
  return { parent, start: `${name}-hold-` };
}

/** Whether what is removed from the folder has to be kept for a while. */
export async function isHeld(
  files: HoldFiles,
  folder: string,
  clock: Pick<Clock, "now"> = systemClock,
): Promise<boolean> {
  const { parent, start } = toPlace(folder);
  for (const name of await files.list(parent)) {
    if (!name.startsWith(start)) continue;
    const bytes = await files.readRange(`${parent}/${name}`, { offset: 0, sizeBytes: MAX_BYTES });
    if (Number(new TextDecoder().decode(bytes)) > clock.now()) return true;
  }
  return false;
}

/** A hold that lasts until it is released. */
export interface Hold {
  release(): Promise<void>;
}

/** Holds back removals of blobs until `release`; what was removed meanwhile is then removed for good. */
export async function holdBlobs(
  files: FileLayer,
  folder: string,
  clock: Pick<Clock, "now"> = systemClock,
): Promise<Hold> {
  const { parent, start } = toPlace(folder);
  // Nothing that copies or lists data takes a temporary file for a part of it.
  const path = `${parent}/${start}${newId("bak")}.tmp`;
  const write = async (): Promise<void> => {
    const file = await files.openAppend(`${path}.new`, { truncate: true });
    try {
      await file.append(new TextEncoder().encode(String(clock.now() + HOLD_MS)));
    } finally {
      await file.close();
    }
    await files.rename(`${path}.new`, path);
  };
  await write();
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // One that fails is made good by the next.
    renewing = renewing.then(write).catch(() => undefined);
  }, RENEW_MS);
  return {
    release: async () => {
      clearInterval(timer);
      await renewing;
      await files.remove(path);
      await sweepHeldBlobs(files, folder, clock);
    },
  };
}

/** Removes for good what was removed while it was held, and holds that are over; resolves with how many blobs. */
export async function sweepHeldBlobs(
  files: FileLayer,
  folder: string,
  clock: Pick<Clock, "now"> = systemClock,
): Promise<number> {
  if (await isHeld(files, folder, clock)) return 0;
  const { parent, start } = toPlace(folder);
  for (const name of await files.list(parent))
    if (name.startsWith(start)) await files.remove(`${parent}/${name}`);
  let swept = 0;
  for (const below of await files.list(folder)) {
    if (!/^[0-9a-f]{2}$/u.test(below)) continue;
    for (const name of await files.list(`${folder}/${below}`)) {
      if (!name.endsWith(HELD)) continue;
      await files.remove(`${folder}/${below}/${name}`);
      swept += 1;
    }
  }
  return swept;
}
