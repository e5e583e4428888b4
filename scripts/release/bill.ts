/** The release's bill of materials: CycloneDX as npm writes it, without what differs from run to run. */
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { projectFolder, runProgram } from "../process.ts";
import { NODE } from "./packages.ts";

const component = z.looseObject({ "bom-ref": z.string(), name: z.string(), version: z.string() });
const bill = z.looseObject({
  serialNumber: z.string(),
  metadata: z.looseObject({ timestamp: z.string(), component }),
  components: z.array(component).min(1),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
});

/** Fonts of invoices and of the storefront. */
const FONTS = [
  ["src/shop/invoices/fonts", ".ttf.gz"],
  ["src/web/built", ".woff2"],
] as const;

/** Names and versions of the packages whose license texts a build contains: those of the program, and of its pages. */
export async function readBundled(dist: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const file of ["LICENSES.txt", "src/web/built/licences.txt", "src/web/built-docs/licences.txt"]) {
    const text = await readFile(join(dist, file), "utf8");
    for (const part of text.split(/^-{78}$/mu)) {
      const match = /^(\S+) (\d\S*): /u.exec(part.trimStart());
      if (match !== null) found.add(`${match[1]}@${match[2]}`);
    }
  }
  return found;
}

/** Files of others that the sources contain: fonts and flags. */
async function listKeptFiles(dist: string): Promise<readonly object[]> {
  const fonts: object[] = [];
  for (const [folder, ending] of FONTS)
    for (const name of (await readdir(join(dist, folder))).filter((each) => each.endsWith(ending)).sort()) {
      const bytes = await readFile(join(dist, folder, name));
      const content = createHash("sha256").update(bytes).digest("hex");
      const hashes = [{ alg: "SHA-256", content }];
      fonts.push({ "bom-ref": `font:${name}`, type: "file", name, hashes });
    }
  const licenses = [{ license: { id: "MIT" } }];
  const flags = { "bom-ref": "flags", type: "library", name: "country-flag-icons", licenses };
  return [...fonts, flags];
}

/** A UUID of version 8 (RFC 9562) that is the same for the same content. */
function toUuid(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
}

/**
 * The bill of a build as JSON text: the packages that it contains, and Node, which the single files contain.
 * @param builtAt the commit's time: two builds of one commit have equal bills
 * @throws Error when npm cannot write it, or does not know a package that the build contains
 */
export async function writeBill(dist: string, builtAt: Date): Promise<string> {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const { code, output } = await runProgram("npm", args, { cwd: projectFolder, timeoutMs: 120_000 });
  if (code !== 0) throw new Error(`npm sbom failed: ${output.slice(-600)}`);
  const { components, dependencies, metadata, serialNumber, ...rest } = bill.parse(JSON.parse(output));
  const bundled = await readBundled(dist);
  const kept = components.filter(({ name, version }) => bundled.has(`${name}@${version}`));
  const known = new Set(kept.map(({ name, version }) => `${name}@${version}`));
  const unknown = [...bundled].filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`npm sbom does not list ${unknown.join(", ")}`);
  const own = { ...metadata.component, name: "trivet", type: "application" };
  const node = {
    "bom-ref": `node@${NODE}`,
    type: "platform",
    name: "node",
    version: NODE,
    description: "Contained in the single files alone",
    purl: `pkg:generic/node@${NODE}`,
  };
  const refs = new Set([own["bom-ref"], ...kept.map((each) => each["bom-ref"])]);
  const content = {
    ...rest,
    metadata: { timestamp: builtAt.toISOString(), lifecycles: [{ phase: "build" }], component: own },
    components: [...kept, ...(await listKeptFiles(dist)), node],
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  };
  const numbered = { serialNumber: `urn:uuid:${toUuid(JSON.stringify(content))}`, ...content };
  return `${JSON.stringify(numbered, undefined, 2)}\n`;
}
