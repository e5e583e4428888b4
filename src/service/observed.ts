/**
 * Observations of a running service that the doctor cannot make: in a small file of the data folder, so that the
 * command needs no token and no port for it.
 */
import { z } from "zod";
import type { ServiceName } from "../kit/services.ts";
import { nodeFileLayer } from "../kit/files/file-layer.ts";
import { readKeptFile, writeKeptFile } from "../kit/files/kept-file.ts";
import type { Job } from "./jobs.ts";

const observedSchema = z.object({
  /** A proxy that names visitors and is not trusted. */
  untrustedProxy: z.string().optional(),
  agents: z
    .object({
      servers: z.number().int(),
      /** Names of servers, up to ten, none of whose reports was accepted. */
      silent: z.array(z.string()),
      silentCount: z.number().int(),
    })
    .optional(),
});
export type Observed = z.infer<typeof observedSchema>;

/** Not "<service>.json", which would look like a store. */
const fileName = (service: ServiceName): string => `${service}-observed.json`;

/** Reads what a service saw last; undefined when there is nothing to be read. */
export async function readObserved(dataDir: string, service: ServiceName): Promise<Observed | undefined> {
  try {
    const text = await readKeptFile(nodeFileLayer, `${dataDir}/${fileName(service)}`);
    return text === undefined ? undefined : observedSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const EVERY_MS = 10_000;

/** A service's observations; `agents` is called at each update. */
export function createObserver(service: ServiceName, dataDir: string) {
  let untrustedProxy: string | undefined;
  let readAgents: (() => Promise<Observed["agents"]>) | undefined;
  let written: string | undefined;
  const read = async (): Promise<Observed> => {
    const agents = await readAgents?.();
    return { ...(untrustedProxy === undefined ? {} : { untrustedProxy }), ...(agents && { agents }) };
  };
  return {
    noteUntrustedProxy: (address: string): void => {
      untrustedProxy = address;
    },
    watchAgents: (reader: () => Promise<Observed["agents"]>): void => {
      readAgents = reader;
    },
    read,
    /** Writes what changed. */
    job: {
      name: "observed",
      everyMs: () => (written === undefined ? 1_000 : EVERY_MS),
      run: async () => {
        const text = `${JSON.stringify(await read())}\n`;
        if (text === written) return;
        await writeKeptFile(nodeFileLayer, { folder: dataDir, name: fileName(service) }, text);
        written = text;
      },
    } satisfies Job,
  };
}

export type Observer = ReturnType<typeof createObserver>;
