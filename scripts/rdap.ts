/**
 * Writes the RDAP servers of top-level domains into src/kit/probes/rdap/servers.ts, from a file of the shape of
 * https://data.iana.org/rdap/dns.json (RFC 9224): `node --import tsx scripts/rdap.ts FILE`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import process from "node:process";
import { z } from "zod";

const bootstrapSchema = z.object({
  publication: z.iso.datetime({ offset: true }),
  services: z.array(z.tuple([z.array(z.string().regex(/^[a-z0-9.-]+$/u)), z.array(z.url())])),
});

const [, , file] = process.argv;
if (file === undefined) throw new TypeError("Name the file: node --import tsx scripts/rdap.ts FILE");
const { publication, services } = bootstrapSchema.parse(JSON.parse(await readFile(file, "utf8")));
const lines = services.map(([names, urls]) => {
  const [url] = urls.toSorted(
    (one, other) => Number(other.startsWith("https:")) - Number(one.startsWith("https:")),
  );
  return `${url} ${names.join(" ")}`;
});
const rows: string[] = [];
for (let from = 0; from < lines.length; from += 4) rows.push(lines.slice(from, from + 4).join(" | "));
const text = `/** RDAP servers of top-level domains, from IANA's list (RFC 9224). Written by scripts/rdap.ts. */

/** When IANA published the list. */
export const PUBLISHED = "${publication.slice(0, 10)}";

/** Servers, each with its top-level domains, between bars. */
export const SERVERS = \`
${rows.join(" |\n")}
\`;
`;
await writeFile(fileURLToPath(new URL("../src/kit/probes/rdap/servers.ts", import.meta.url)), text);
process.stdout.write(`${lines.length} servers of ${publication}\n`);
