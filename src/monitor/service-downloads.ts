/** The agent's files beside the program: those of a build, else agent.js made from the sources. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Log } from "../kit/observe/log.ts";
import { textOf } from "../kit/thrown.ts";
import { bundleAgent } from "./service-agent-bundle.ts";
import {
  type DownloadFile,
  type Downloads,
  type ListDownloads,
  downloadListSchema,
} from "./install/download-schema.ts";

/** Where a build puts them, seen from a bundle and from the sources. */
const folders = ["../../download/", "../../dist/download/"].map((path) => new URL(path, import.meta.url));

/** The files of this version in a folder that a build has written. */
async function findBuilt(version: string): Promise<Downloads | undefined> {
  for (const folder of folders) {
    const text = await readFile(new URL("download.json", folder), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const list = downloadListSchema.parse(JSON.parse(text));
    if (list.version !== version) continue;
    const items = list.items.map((item) => ({
      ...item,
      // The types of Node's streams and the platform's name the same class twice.
      open: () =>
        Readable.toWeb(createReadStream(new URL(item.name, folder))) as ReadableStream<
          Uint8Array<ArrayBuffer>
        >,
    }));
    return { items, signature: list.signature };
  }
  return undefined;
}

/** Downloads of the monitor: the files, and install.sh, which comes with the program. */
export async function loadInstall(options: {
  version: string;
  log: Log;
}): Promise<{ listDownloads: ListDownloads; script: string }> {
  const script = await readFile(new URL("./install/install.sh", import.meta.url), "utf8");
  return { listDownloads: createDownloads(options), script };
}

/** The agent for machines without Node, as it is handed out. */
export async function readScriptAgent(version: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = await readFile(new URL("./install/agent.sh", import.meta.url), "utf8");
  return new TextEncoder().encode(text.replaceAll("@VERSION@", () => version));
}

function toDownload(name: string, bytes: Uint8Array<ArrayBuffer>): DownloadFile {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { name, sizeBytes: bytes.byteLength, sha256, open: () => bytes };
}

/** Finds the files at the first request, and makes agent.js then when there is none. */
function createDownloads({ version, log }: { version: string; log: Log }): ListDownloads {
  let bundled: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined;

  function bundle(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    bundled ??= bundleAgent().catch((error: unknown) => {
      log.warn('The agent cannot be bundled here. Run "npm run build"', { reason: textOf(error) });
      return undefined;
    });
    return bundled;
  }

  return async () => {
    const built = await findBuilt(version);
    if (built !== undefined) return built;
    const program = await bundle();
    const script = await readScriptAgent(version).catch(() => undefined);
    const items = [
      ...(program === undefined ? [] : [toDownload("agent.js", program)]),
      ...(script === undefined ? [] : [toDownload("agent.sh", script)]),
    ];
    return { items };
  };
}
