/**
 * `npm run release -- VERSION --key FILE [--to FOLDER] [--arch x64,arm64] [--builder URI]`: everything that a release
 * consists of, in dist/release, from a clean checkout. `--key` is the secret key of minisign; its public key lies beside
 * it, with the ending .pub. `--unsigned` replaces `--key`, for trials.
 * `--like FOLDER` builds the downloaded release in FOLDER again, with its signatures, and compares every byte.
 */
import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { toSums } from "../../src/monitor/install/download-schema.ts";
import { VERSION } from "../../src/version.ts";
import { readSums, writeDownloadList } from "../download-list.ts";
import { projectFolder, runProgram } from "../process.ts";
import { archiveFolder, writeFileSums } from "./archive.ts";
import { writeBill } from "./bill.ts";
import { type Arch, architectures, must, parseArch } from "./packages.ts";
import { type ReleaseFile, writeProvenance } from "./provenance.ts";
import { checkSignature, readPublicKey, signFiles } from "./sign.ts";

const SUMS = "SHA256SUMS";
const PUBLIC_KEY = "trivet.pub";
/** Sums of the agent's scripts, which every build hands out, and of all its programs, which a bundle hands out. */
const signed = ["agent-scripts.sums", "agent-programs.sums"] as const;
/** Made after the sums, of which the others are listed. */
const late = new Set([SUMS, `${SUMS}.minisig`]);

interface Plan {
  readonly wanted: readonly Arch[];
  readonly builder: string;
  readonly commit: string;
  readonly at: Date;
  /** What arises on the way. */
  readonly stage: string;
  readonly to: string;
  readonly key: string | undefined;
  readonly like: string | undefined;
  /** As install.sh carries it. */
  readonly publicKey: string | undefined;
}

const runScript = (name: string, ...args: readonly string[]): Promise<void> =>
  must(process.execPath, ["--import", "tsx", `scripts/${name}`, ...args], projectFolder);

async function git(...args: readonly string[]): Promise<string> {
  const { code, output } = await runProgram("git", args, { cwd: projectFolder, timeoutMs: 60_000 });
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${output.trim()}`);
  return output.trim();
}

/** @throws Error that says what to do before a release of this version can be made */
async function checkSources(version: string): Promise<void> {
  if (version !== VERSION)
    throw new Error(`This is version ${VERSION}. Set "${version}" in package.json and src/version.ts first`);
  const changes = await readFile(join(projectFolder, "CHANGELOG.md"), "utf8");
  if (!changes.includes(`\n## [${version}]`))
    throw new Error(`CHANGELOG.md has no section "## [${version}]". Move the unreleased changes there`);
  const status = await git("status", "--porcelain");
  if (status !== "") throw new Error(`Commit or remove these changes first:\n${status}`);
}

/** Signs with the key, or takes the signatures of the release that is compared; files are in `stage`. */
async function sign(plan: Plan, names: readonly string[], folder: string): Promise<void> {
  const { key, like, publicKey } = plan;
  if (publicKey === undefined) return;
  const files = names.map((name) => join(folder, name));
  if (like === undefined) await signFiles(files, key ?? "", `trivet ${VERSION}`);
  else
    for (const name of names) await copyFile(join(like, `${name}.minisig`), join(folder, `${name}.minisig`));
  // Sums that differ are no reason to stop: the files are compared one by one.
  if (like === undefined || folder !== plan.to)
    for (const file of files) await checkSignature(file, publicKey);
}

/** The agent's programs, and signed sums of them. */
async function makeAgents(plan: Plan): Promise<void> {
  const { stage, to, wanted } = plan;
  const agents = join(stage, "agents");
  await runScript("build-agent.ts", "--to", agents, "--arch", wanted.join(","));
  const scripts = join(stage, "scripts");
  await mkdir(scripts);
  for (const name of ["agent.js", "agent.sh"]) await copyFile(join(agents, name), join(scripts, name));
  await writeFile(join(stage, signed[0]), await readSums(scripts));
  await writeFile(join(stage, signed[1]), await readSums(agents));
  await sign(plan, signed, stage);
  for (const name of await readdir(agents)) {
    if (!/^(?:agent\.|trivet-agent-)/u.test(name)) continue;
    await copyFile(join(agents, name), join(to, name));
  }
  if (plan.publicKey === undefined) return;
  for (const name of signed) await copyFile(join(stage, `${name}.minisig`), join(to, `${name}.minisig`));
}

/** What "build.ts" and "build-single.ts" need so that the monitor hands out signed programs. */
function toSigning({ publicKey, stage }: Plan): string[] {
  return publicKey === undefined
    ? []
    : ["--signer", publicKey, "--signature", join(stage, `${signed[0]}.minisig`)];
}

/** The package for npm, which is for all processors, and with it install.sh, the bill of materials and the sources. */
async function makePackage(plan: Plan): Promise<void> {
  const { at, stage, to } = plan;
  const dist = join(stage, "package");
  await runScript("build.ts", "--to", dist, ...toSigning(plan));
  // npm keeps the rights that files have here, also those of pages that were built earlier.
  await must("chmod", ["-R", "u=rwX,go=rX", dist], stage);
  await must("npm", ["pack", "--silent", "--pack-destination", to], dist);
  const script = await readFile(join(dist, "src/monitor/install/install.sh"), "utf8");
  await writeFile(join(to, "install.sh"), script.replaceAll("@VERSION@", VERSION).replaceAll("@URL@", ""));
  await writeFile(join(to, `trivet-${VERSION}.cdx.json`), await writeBill(dist, at));
}

async function makeSource({ at, commit, stage, to }: Plan): Promise<void> {
  const folder = join(stage, `trivet-${VERSION}-source`);
  await mkdir(folder);
  await must("git", ["archive", "--format=tar", "-o", join(stage, "source.tar"), commit], projectFolder);
  await must("tar", ["-xf", join(stage, "source.tar"), "-C", folder], stage);
  await archiveFolder(folder, join(to, `trivet-${VERSION}-source.tar.gz`), at);
}

/** The program with the installer and all agent programs, for one processor. */
async function makeBundle(arch: Arch, plan: Plan): Promise<void> {
  const { at, publicKey, stage, to } = plan;
  const folder = join(stage, arch, `trivet-${VERSION}-linux-${arch}`);
  await mkdir(folder, { recursive: true });
  await runScript("build.ts", "--to", folder, "--cpu", arch, ...toSigning(plan));
  await cp(join(stage, "agents"), join(folder, "download"), { recursive: true });
  const signature = publicKey && (await readFile(join(stage, `${signed[1]}.minisig`), "utf8"));
  await writeDownloadList(join(folder, "download"), signature);
  for (const name of ["install", "install.d"])
    await cp(join(projectFolder, "scripts", name), join(folder, "scripts", name), { recursive: true });
  await writeFileSums(folder);
  await archiveFolder(folder, join(to, `trivet-${VERSION}-linux-${arch}.tar.gz`), at);
}

async function makeSingles(plan: Plan): Promise<void> {
  const folder = join(plan.stage, "single");
  await runScript(
    "release/build-single.ts",
    ...["--to", folder, "--arch", plan.wanted.join(",")],
    ...toSigning(plan),
  );
  for (const arch of plan.wanted)
    await rename(join(folder, `trivet-linux-${arch}.gz`), join(plan.to, `trivet-linux-${arch}.gz`));
}

async function listRelease(folder: string): Promise<(ReleaseFile & { readonly sizeBytes: number })[]> {
  const names = (await readdir(folder)).filter((name) => !late.has(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return { name, sizeBytes: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
    }),
  );
}

async function makeAll(plan: Plan): Promise<void> {
  const { to, publicKey, builder, commit, wanted } = plan;
  await makeAgents(plan);
  await makePackage(plan);
  await makeSource(plan);
  for (const arch of wanted) await makeBundle(arch, plan);
  await makeSingles(plan);
  if (publicKey !== undefined)
    await writeFile(join(to, PUBLIC_KEY), `untrusted comment: releases of Trivet\n${publicKey}\n`);
  const origin = { version: VERSION, commit, architectures: wanted, builder };
  const provenance = await writeProvenance(await listRelease(to), origin);
  await writeFile(join(to, `trivet-${VERSION}.intoto.json`), provenance);
  const files = await listRelease(to);
  await writeFile(join(to, SUMS), toSums(files));
  await sign(plan, [SUMS], to);
  for (const { name, sizeBytes } of files)
    console.log(`${(sizeBytes / 1_048_576).toFixed(1).padStart(7)} MiB  ${name}`);
}

/** Files that are not the same in both folders. */
async function compare(like: string, to: string): Promise<string[]> {
  const names = new Set([...(await readdir(like)), ...(await readdir(to))]);
  const different: string[] = [];
  for (const name of [...names].sort()) {
    const [one, other] = await Promise.all(
      [like, to].map((folder) => readFile(join(folder, name)).catch(() => undefined)),
    );
    if (one === undefined || other === undefined || !one.equals(other)) different.push(name);
  }
  return different;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      arch: { type: "string", default: architectures.join(",") },
      to: { type: "string", default: join(projectFolder, "dist", "release") },
      builder: { type: "string", default: "urn:trivet:builder:own-machine" },
      key: { type: "string" },
      like: { type: "string" },
      unsigned: { type: "boolean", default: false },
    },
  });
  const [version] = positionals;
  if (version === undefined || positionals.length > 1)
    throw new Error("Name the version: npm run release -- VERSION --key FILE");
  const { key, unsigned } = values;
  const like = values.like === undefined ? undefined : resolve(values.like);
  if ([key !== undefined, unsigned, like !== undefined].filter(Boolean).length !== 1)
    throw new Error("Set one of --key FILE (a secret key of minisign), --like FOLDER and --unsigned");
  await checkSources(version);
  const publicFile = like === undefined ? key?.replace(/\.key$/u, "").concat(".pub") : join(like, PUBLIC_KEY);
  const publicKey = publicFile === undefined ? undefined : await readPublicKey(publicFile);
  const to = resolve(values.to);
  const stage = await mkdtemp(join(tmpdir(), "trivet-release-"));
  try {
    if ((await readdir(to).catch((): string[] => [])).length > 0)
      throw new Error(`"${to}" is not empty. Remove it, or name another folder with --to`);
    await mkdir(to, { recursive: true });
    const commit = await git("rev-parse", "HEAD");
    const at = new Date(Number(await git("log", "-1", "--format=%ct")) * 1_000);
    const wanted = values.arch.split(",").map(parseArch);
    await makeAll({ wanted, builder: values.builder, commit, at, stage, to, key, like, publicKey });
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
  if (like === undefined) return 0;
  const different = await compare(like, to);
  for (const name of different) console.error(`different: ${name}`);
  console.log(different.length === 0 ? "Every file is equal" : `${different.length} files are not equal`);
  return different.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
