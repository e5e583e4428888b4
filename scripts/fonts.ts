/**
 * `node --import tsx scripts/fonts.ts`: makes src/shop/invoices/fonts, what PDFs embed, and src/html/fonts, those of
 * the storefront, from packages of the npm registry (docs/decisions, fonts of documents). The result is committed: the
 * packages have 90 MB, these files 6.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync, inflateSync } from "node:zlib";
import { projectFolder } from "./process.ts";

const run = promisify(execFile);
const target = join(projectFolder, "src/shop/invoices/fonts");

/** Scripts whose letters change with their neighbors and that have a small font. */
const scripts = [
  "bengali",
  "devanagari",
  "gujarati",
  "gurmukhi",
  "kannada",
  "khmer",
  "malayalam",
  "myanmar",
  "sinhala",
  "tamil",
  "telugu",
  "thai",
];

/** Name here → package, file in it. */
const fonts: Readonly<Record<string, readonly [string, string]>> = {
  "dejavu-sans-condensed": ["dejavu-fonts-ttf@2.37.3", "ttf/DejaVuSansCondensed.ttf"],
  "dejavu-sans-condensed-bold": ["dejavu-fonts-ttf@2.37.3", "ttf/DejaVuSansCondensed-Bold.ttf"],
  "noto-sans-sc": ["@fontsource/noto-sans-sc@5.3.0", "files/noto-sans-sc-chinese-simplified-400-normal.woff"],
  unifontex: ["@fontsource/unifontex@5.2.6", "files/unifontex-latin-400-normal.woff"],
  ...Object.fromEntries(
    scripts.map((script) => [
      `noto-sans-${script}`,
      [`@fontsource/noto-sans-${script}@5.3.0`, `files/noto-sans-${script}-${script}-400-normal.woff`],
    ]),
  ),
};

/** A WOFF file as the TrueType font that is in it (https://www.w3.org/TR/WOFF/). */
function toTrueType(file: Buffer): Buffer {
  if (file.toString("latin1", 0, 4) !== "wOFF") return file;
  const count = file.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const at = 44 + index * 20;
    const [offset, packed, size] = [4, 8, 12].map((place) => file.readUInt32BE(at + place));
    const bytes = file.subarray(offset, (offset ?? 0) + (packed ?? 0));
    return {
      head: file.subarray(at, at + 4),
      sum: file.subarray(at + 16, at + 20),
      bytes: packed === size ? bytes : inflateSync(bytes),
    };
  });
  const power = 2 ** Math.floor(Math.log2(count));
  const start = Buffer.alloc(12 + 16 * count);
  file.copy(start, 0, 4, 8);
  [count, power * 16, Math.log2(power), (count - power) * 16].forEach((value, index) =>
    start.writeUInt16BE(value, 4 + index * 2),
  );
  let offset = start.length;
  tables.forEach(({ head, sum, bytes }, index) => {
    const at = 12 + index * 16;
    head.copy(start, at);
    sum.copy(start, at + 4);
    start.writeUInt32BE(offset, at + 8);
    start.writeUInt32BE(bytes.length, at + 12);
    offset += Math.ceil(bytes.length / 4) * 4;
  });
  const padded = tables.map(({ bytes }) =>
    Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]),
  );
  return Buffer.concat([start, ...padded]);
}

/** Fonts of the storefront, each with a range of weights in one file; the Latin letters alone. */
const webFonts = ["figtree", "fraunces", "manrope"] as const;
const webTarget = join(projectFolder, "src/html/fonts");

async function makeWebFonts(from: string): Promise<void> {
  const names = webFonts.map((name) => `@fontsource-variable/${name}@5.3.0`);
  await run("npm", ["install", "--prefix", from, "--ignore-scripts", "--no-save", ...names]);
  await mkdir(webTarget, { recursive: true });
  for (const name of webFonts) {
    const source = join(from, "node_modules/@fontsource-variable", name);
    const file = await readFile(join(source, `files/${name}-latin-wght-normal.woff2`));
    await writeFile(join(webTarget, `${name}.woff2`), file);
    await writeFile(join(webTarget, `${name}.LICENSE.txt`), await readFile(join(source, "LICENSE")));
  }
}

const folder = await mkdtemp(join(tmpdir(), "trivet-fonts-"));
try {
  const packages = [...new Set(Object.values(fonts).map(([name]) => name))];
  await run("npm", ["install", "--prefix", folder, "--ignore-scripts", "--no-save", ...packages]);
  await mkdir(target, { recursive: true });
  for (const [name, [specifier, path]] of Object.entries(fonts)) {
    const source = join(folder, "node_modules", specifier.replace(/@[\d.]+$/u, ""));
    const bytes = toTrueType(await readFile(join(source, path)));
    await writeFile(join(target, `${name}.ttf.gz`), gzipSync(bytes, { level: 9 }));
    await writeFile(join(target, `${name}.LICENSE.txt`), await readFile(join(source, "LICENSE")));
  }
  await makeWebFonts(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
