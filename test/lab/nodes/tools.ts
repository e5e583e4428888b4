/** nginx and nats-server, which npm does not bring; and for CI what further tests are skipped without. */
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import process from "node:process";
import { installPackages, unpackPackage } from "../../support/debian.ts";

/** Program and Debian package have the same name. */
const names = ["nginx", "nats-server"] as const;

/** What test/auth/pages and test/e2e read the account center's pages with, or put before them; the same goes for their names. */
const readers = ["lynx", "tidy", "w3m", "caddy"] as const;

/** nginx's module for JavaScript, with which test/e2e verifies assertions. */
const njs = {
  path: "/usr/lib/nginx/modules/ngx_http_js_module.so",
  package: "libnginx-mod-http-js",
} as const;

/** Where programs are that a user's PATH may leave out. */
const SYSTEM_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin"];

async function isThere(path: string, mode = constants.F_OK): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

async function find(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, name);
    if (folder !== "" && (await isThere(path, constants.X_OK))) return path;
  }
  return undefined;
}

async function findMissing(folders: readonly string[], wanted: readonly string[] = names): Promise<string[]> {
  const missing: string[] = [];
  for (const name of wanted) if ((await find(name, folders)) === undefined) missing.push(name);
  return missing;
}

async function fetchPackages(missing: readonly string[], folder: string): Promise<void> {
  console.log(`Fetching ${missing.join(" and ")} from Debian`);
  // Both packages start a service when they are installed, where systemd runs.
  const mayInstall = process.getuid?.() === 0 && !(await isThere("/run/systemd/system"));
  if (mayInstall) await installPackages(missing);
  else for (const name of missing) await unpackPackage(name, folder);
}

/** Installs what is missing on the system; as on a machine that runs the tests. @throws Error when it may not */
export async function installTools(): Promise<void> {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...SYSTEM_FOLDERS];
  const missing = await findMissing(folders, [...names, ...readers]);
  if (!(await isThere(njs.path))) missing.push(njs.package);
  if (missing.length > 0) await installPackages(missing);
}

/**
 * Makes sure that nginx and nats-server exist, at least below `folder`, adds them to the PATH of this process, and
 * returns nginx's path.
 * @throws Error if they are neither installed nor available
 */
export async function findTools(folder: string): Promise<{ readonly nginx: string }> {
  const path = process.env["PATH"] ?? "";
  const folders = [...path.split(delimiter), ...SYSTEM_FOLDERS, join(folder, "usr/sbin")];
  const missing = await findMissing(folders);
  if (missing.length > 0) await fetchPackages(missing, folder);
  const nginx = await find("nginx", folders);
  const still = await findMissing(folders);
  if (nginx === undefined || still.length > 0)
    throw new Error(`${still.join(", ")}: not found, though the package was fetched`);
  process.env["PATH"] = folders.filter((each) => each !== "").join(delimiter);
  return { nginx };
}
