/**
 * Certificates of a test authority, created with openssl: valid, expired, expiring soon, for another name, from an
 * unknown issuer.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../../support/process.ts";

export const certificateNames = ["good", "ended", "soon", "otherName", "stranger", "selfSigned"] as const;
export type CertificateName = (typeof certificateNames)[number];

const DAY_MS = 86_400_000;

async function openssl(folder: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runProcess({ command: "openssl", args, cwd: folder, timeoutMs: 30_000 });
  if (code !== 0) throw new Error(`openssl ${args.join(" ")}: ${output}`);
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1";

/** "20260131120000Z". */
function toStamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/gu, "")}Z`;
}

async function makeSelfSigned(
  folder: string,
  options: { name: string; subject: string; extension: string },
): Promise<void> {
  const { name, subject, extension } = options;
  const files = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
  await openssl(folder, [
    "req",
    "-x509",
    ...KEY,
    ...files,
    "-days",
    "90",
    "-subj",
    subject,
    "-addext",
    extension,
  ]);
}

async function sign(
  folder: string,
  options: { name: string; authority: string; names: string; days: readonly [number, number] },
): Promise<void> {
  const { name, authority, names, days } = options;
  const [from, to] = days.map((count) => toStamp(Date.now() + count * DAY_MS));
  const request = ["-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", "/CN=localhost"];
  await openssl(folder, ["req", "-new", ...KEY, ...request]);
  await writeFile(join(folder, `${name}.ext`), `${names}\n`);
  await writeFile(join(folder, "index"), "");
  const dates = ["-startdate", from ?? "", "-enddate", to ?? ""];
  const files = ["-in", `${name}.csr`, "-out", `${name}.pem`, "-extfile", `${name}.ext`];
  const by = ["-cert", `${authority}.pem`, "-keyfile", `${authority}.key`];
  await openssl(folder, [
    "ca",
    "-batch",
    "-notext",
    "-config",
    "ca.cnf",
    "-rand_serial",
    ...by,
    ...files,
    ...dates,
  ]);
}

const CONFIG = `[ca]
default_ca = d
[d]
database = index
new_certs_dir = .
default_md = sha256
policy = p
rand_serial = yes
unique_subject = no
[p]
commonName = supplied
`;

/** Creates `<name>.pem` and `<name>.key` in a folder; returns the authority's certificate. */
export async function makeCertificates(folder: string): Promise<string> {
  await writeFile(join(folder, "ca.cnf"), CONFIG);
  for (const name of ["authority", "unknown"])
    await makeSelfSigned(folder, {
      name,
      subject: `/CN=${name}`,
      extension: "basicConstraints=critical,CA:TRUE",
    });
  await makeSelfSigned(folder, { name: "selfSigned", subject: "/CN=localhost", extension: NAMES });
  const authority = "authority";
  await sign(folder, { name: "good", authority, names: NAMES, days: [-1, 60] });
  await sign(folder, { name: "ended", authority, names: NAMES, days: [-60, -1] });
  await sign(folder, { name: "soon", authority, names: NAMES, days: [-60, 5] });
  await sign(folder, {
    name: "otherName",
    authority,
    names: "subjectAltName=DNS:other.example",
    days: [-1, 60],
  });
  await sign(folder, { name: "stranger", authority: "unknown", names: NAMES, days: [-1, 60] });
  return readFile(join(folder, "authority.pem"), "utf8");
}
