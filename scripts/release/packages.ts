/** Packages of the npm registry for another machine than this one: fetched by version, checked against their checksum. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { projectFolder, runProgram } from "../process.ts";

/** A package as package-lock.json pins it. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** As npm writes it: "sha512-…". */
  readonly integrity: string;
}

/** Processors that releases are made for, on Linux with glibc: the npm registry has no Node for musl. */
export const architectures = ["x64", "arm64"] as const;
export type Arch = (typeof architectures)[number];

/** Not 26: its builds need libatomic, which small Debian images lack. */
export const NODE = "24.21.0";
export const nodeIntegrity: Readonly<Record<Arch, string>> = {
  x64: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  arm64: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
};

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      libc: z.array(z.string()).optional(),
    }),
  ),
});

/** Reads a word of the command line; Docker's names of processors count too. @throws Error for any other */
export function parseArch(word: string): Arch {
  const arch = architectures.find((name) => name === (word === "amd64" ? "x64" : word));
  if (arch === undefined)
    throw new Error(`There are releases for ${architectures.join(" and ")}, not for "${word}"`);
  return arch;
}

/** Runs a program to its end. @throws Error with its output when it fails */
export async function must(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, output } = await runProgram(command, args, { cwd, timeoutMs: 600_000 });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${code ?? "unknown"}\n${output}`);
}

/** Unpacks a package as the folder `to`, which must not be there. @throws Error when it is not the pinned one */
export async function unpackPackage({ name, version, integrity }: PinnedPackage, to: string): Promise<void> {
  const parent = join(to, "..");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, ".unpacking-"));
  try {
    await must("npm", ["pack", "--silent", `${name}@${version}`], folder);
    const archive = join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
    const hash = createHash("sha512").update(await readFile(archive));
    const found = `sha512-${hash.digest("base64")}`;
    if (found !== integrity) throw new Error(`${name}@${version} is ${found}, not what is pinned here`);
    await must("tar", ["-xzf", archive, "-C", folder], folder);
    await rename(join(folder, "package"), to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Fetches Node, which the single files have inside, below `folder`; resolves with the program's path. */
export async function fetchNode(arch: Arch, folder: string): Promise<string> {
  const name = `node-linux-${arch}`;
  const to = join(folder, name);
  await unpackPackage({ name, version: NODE, integrity: nodeIntegrity[arch] }, to);
  return join(to, "bin", "node");
}

/** The packages below these scopes that hold binaries for Linux with glibc on one kind of processor. */
export async function listBinaries(scopes: readonly string[], arch: Arch): Promise<PinnedPackage[]> {
  const text = await readFile(join(projectFolder, "package-lock.json"), "utf8");
  const { packages } = lockSchema.parse(JSON.parse(text));
  return Object.entries(packages).flatMap(([path, { version, integrity, os, cpu, libc = ["glibc"] }]) => {
    const name = path.replace("node_modules/", "");
    const isMeant =
      scopes.some((scope) => name.startsWith(`${scope}/`)) &&
      [os?.includes("linux"), cpu?.includes(arch), libc.includes("glibc")].every((fits) => fits === true);
    return isMeant && version !== undefined && integrity !== undefined ? [{ name, version, integrity }] : [];
  });
}
