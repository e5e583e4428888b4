/** The inputs that are kept: test/hostile/corpus/<target>.json, in base64, smallest first. */
import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";

const folder = new URL("../../hostile/corpus/", import.meta.url);
const corpusSchema = z.array(z.base64());

export async function readCorpus(name: string): Promise<Buffer[]> {
  const text = await readFile(new URL(`${name}.json`, folder), "utf8").catch(() => "[]");
  return corpusSchema.parse(JSON.parse(text)).map((one) => Buffer.from(one, "base64"));
}

export async function writeCorpus(name: string, inputs: readonly Uint8Array[]): Promise<void> {
  const lines = inputs.map((one) => Buffer.from(one).toString("base64"));
  await writeFile(new URL(`${name}.json`, folder), `${JSON.stringify(lines, undefined, 2)}\n`);
}
