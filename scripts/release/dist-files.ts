/** What lies beside the bundle: files that the program reads, and packages with binaries, for this machine or another. */
import { cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { projectFolder } from "../process.ts";
import { compress } from "./executable.ts";
import { type Arch, listBinaries, unpackPackage } from "./packages.ts";

/** Native modules cannot be bundled: they and their binary are copied to dist/node_modules. */
export const nativePackages = ["@node-rs/argon2", "@node-rs/bcrypt"];

/** sharp with its libraries, and what it imports; without them pictures keep their size. */
const picturePackages = ["sharp", "detect-libc", "semver"];

/** Files beside the sources that are read when somebody asks for them. */
const ownFiles = [
  "src/web/built",
  "src/web/built-docs",
  "src/kit/http/icon.svg",
  "src/monitor/install/install.sh",
  "src/shop/invoices/fonts",
];

/** What src/kit/http/swagger-assets.ts reads from disk, with its licences: copied to dist/node_modules. */
const swaggerFiles = ["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"];
const packedSwaggerFiles = ["swagger-ui.css", "swagger-ui-bundle.js"];

/** Packages of a scope that are installed. */
async function listScope(scope: string): Promise<string[]> {
  const installed = await readdir(join(projectFolder, "node_modules", scope)).catch((): string[] => []);
  return installed.map((entry) => `${scope}/${entry}`);
}

/** Packages that are scripts alone and find their binary by themselves. */
const isScript = (name: string): boolean => nativePackages.includes(name) || name === "@img/colour";

/** What only compilers and readers need: types, sources of binaries, manuals. Licences stay. */
const isWanted = (path: string): boolean =>
  !/\.(?:d\.[cm]?ts|map|cc|h|md)$/u.test(path) || /licen[cs]e|notice/iu.test(basename(path));

/** Copies native packages with their binaries; resolves with their names. */
async function copyNative(dist: string, arch: Arch | undefined): Promise<string[]> {
  const target = join(dist, "node_modules");
  const installed = [...(await listScope("@node-rs")), ...(await listScope("@img"))];
  // What npm installed here has the binaries for this machine alone.
  const copied = [...picturePackages, ...installed.filter((name) => arch === undefined || isScript(name))];
  for (const name of copied)
    await cp(join(projectFolder, "node_modules", name), join(target, name), {
      recursive: true,
      filter: (path) => isWanted(path),
    });
  const fetched = arch === undefined ? [] : await listBinaries(["@node-rs", "@img"], arch);
  for (const one of fetched) await unpackPackage(one, join(target, one.name));
  return [...copied, ...fetched.map(({ name }) => name)];
}

/** Without what it depends on: a package that reports each installation. */
async function copySwagger(dist: string): Promise<void> {
  const from = join(projectFolder, "node_modules", "swagger-ui-dist");
  const target = join(dist, "node_modules", "swagger-ui-dist");
  await mkdir(target, { recursive: true });
  for (const name of swaggerFiles) await cp(join(from, name), join(target, name));
  for (const name of packedSwaggerFiles)
    await writeFile(join(target, `${name}.gz`), await compress(await readFile(join(from, name))));
  const { default: manifest } = await import("swagger-ui-dist/package.json", { with: { type: "json" } });
  const { name, version, license } = manifest;
  await writeFile(
    join(target, "package.json"),
    `${JSON.stringify({ name, version, license }, undefined, 2)}\n`,
  );
}

/**
 * Copies to `dist` what the bundle reads from disk; resolves with the names of the native packages.
 * @param arch the processor, for Linux with glibc; undefined takes what is installed here
 */
export async function copyFiles(dist: string, arch: Arch | undefined): Promise<readonly string[]> {
  for (const path of ownFiles) await cp(join(projectFolder, path), join(dist, path), { recursive: true });
  await copySwagger(dist);
  return copyNative(dist, arch);
}
