/** What a release was made of, as an in-toto statement with SLSA provenance: https://slsa.dev/spec/v1.0/provenance */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "../process.ts";
import { NODE, type Arch, nodeIntegrity } from "./packages.ts";

/** A file of the release. */
export interface ReleaseFile {
  readonly name: string;
  /** Hex. */
  readonly sha256: string;
}

export interface Origin {
  readonly version: string;
  /** Full hash of the commit. */
  readonly commit: string;
  readonly architectures: readonly Arch[];
  /** Who ran the build, as a URI. */
  readonly builder: string;
}

const fromIntegrity = (integrity: string): string =>
  Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");

/** The statement as JSON text; the same for two builds of one commit by one builder. */
export async function writeProvenance(files: readonly ReleaseFile[], origin: Origin): Promise<string> {
  const lock = await readFile(join(projectFolder, "package-lock.json"));
  const nodes = origin.architectures.map((arch) => ({
    uri: `pkg:npm/node-linux-${arch}@${NODE}`,
    digest: { sha512: fromIntegrity(nodeIntegrity[arch]) },
  }));
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:trivet:npm-run-release:1",
        externalParameters: { version: origin.version, architectures: origin.architectures },
        internalParameters: { node: process.version },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: origin.commit } },
          { name: "package-lock.json", digest: { sha256: createHash("sha256").update(lock).digest("hex") } },
          ...nodes,
        ],
      },
      runDetails: { builder: { id: origin.builder } },
    },
  };
  return `${JSON.stringify(statement, undefined, 2)}\n`;
}
