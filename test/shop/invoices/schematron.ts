/**
 * The official rules of EN 16931 and XRechnung, where they are installed: EINVOICE_RULES names a folder with the XSLT
 * of https://github.com/ConnectingEurope/eInvoicing-EN16931 (EN16931-UBL-validation.xslt, EN16931-CII-validation.xslt)
 * and, if you have it, that of XRechnung (XRechnung-UBL-validation.xslt). Saxon-HE (Debian: libsaxonhe-java) runs them.
 */
import { execFile } from "node:child_process";
import { access, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { findProgram, tellSkipped } from "../../support/missing.ts";

const run = promisify(execFile);
const SAXON = "/usr/share/java/Saxon-HE.jar";
const java = findProgram("java");

export const rulesFolder = process.env["EINVOICE_RULES"] ?? "";

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** What to give as `skip`. */
export async function skipWithoutRules(): Promise<string | false> {
  if (rulesFolder === "" || java === undefined)
    return tellSkipped("EINVOICE_RULES names no folder with the EN 16931 schematron, or java is missing");
  return (await isThere(SAXON)) ? false : tellSkipped("Saxon-HE is missing (Debian: libsaxonhe-java)");
}

/** Rules that files break, as "file BR-CO-10". A stylesheet that is not in the folder finds nothing. */
export async function findBroken(
  folder: string,
  files: ReadonlyMap<string, string>,
  stylesheet: string,
): Promise<readonly string[]> {
  const sheet = join(rulesFolder, stylesheet);
  if (!(await isThere(sheet))) return [];
  const [from, to] = [join(folder, `${stylesheet}.in`), join(folder, `${stylesheet}.out`)];
  await mkdir(from);
  await mkdir(to);
  for (const [name, xml] of files) await writeFile(join(from, `${name}.xml`), xml);
  await run(java ?? "", ["-cp", SAXON, "net.sf.saxon.Transform", `-s:${from}`, `-o:${to}`, `-xsl:${sheet}`]);
  const broken: string[] = [];
  for (const name of (await readdir(to)).toSorted()) {
    const report = await readFile(join(to, name), "utf8");
    for (const [found] of report.matchAll(/<svrl:failed-assert[^>]*>/gu)) {
      const id = /\bid="([^"]*)"/u.exec(found)?.[1] ?? "";
      broken.push(`${name.replace(/\.xml$/u, "")} ${id}`);
    }
  }
  return broken;
}
