/** The agent's files beside the program: those of a build, else agent.js made from the sources. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Log } from "../kit/observe/log.ts";
import { textOf } from "../kit/thrown.ts";
import { bundleAgent } from "./service-agent-bundle.ts";
import { type Download, type Downloads, downloadListSchema } from "./install/downloads.ts";

/** Where a build puts them, seen from a bundle and from the sources. */
const folders = ["../../download/", "../../dist/download/"].map((path) => new URL(path, import.meta.url));

/** The folder whose files are of this version. */
async function findFolder(version: string): Promise<{ folder: URL; items: readonly Download[] } | undefined> {
  for (const folder of folders) {
    const text = await readFile(new URL("download.json", folder), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const list = downloadListSchema.parse(JSON.parse(text));
    if (list.version === version) return { folder, items: list.items };
  }
  return undefined;
}

/** What the monitor hands out: the files, and install.sh, which comes with the program. */
export async function loadInstall(options: {
  version: string;
  log: Log;
}): Promise<{ downloads: Downloads; script: string }> {
  const script = await readFile(new URL("./install/install.sh", import.meta.url), "utf8");
  return { downloads: createDownloads(options), script };
}

/** Finds the files at the first request, and makes agent.js then when there is none. */
function createDownloads({ version, log }: { version: string; log: Log }): Downloads {
  let bundled: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined;

  function bundle(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    bundled ??= bundleAgent("esm").catch((error: unknown) => {
      log.warn('The agent cannot be bundled here: run "npm run build"', { reason: textOf(error) });
      return undefined;
    });
    return bundled;
  }

  return {
    async list() {
      const built = await findFolder(version);
      if (built !== undefined) return built.items;
      const bytes = await bundle();
      if (bytes === undefined) return [];
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return [{ name: "agent.js", sizeBytes: bytes.byteLength, sha256 }];
    },
    async open(file) {
      const built = await findFolder(version);
      if (built !== undefined) {
        const web = Readable.toWeb(createReadStream(new URL(file.name, built.folder)));
        // The types of Node's streams and the platform's name the same class twice.
        return web as ReadableStream<Uint8Array<ArrayBuffer>>;
      }
      return (await bundle()) ?? new Uint8Array();
    },
  };
}
