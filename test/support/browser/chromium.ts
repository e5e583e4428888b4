/** Which Chromium drives the browser tests. */
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import process from "node:process";
import { installPackages } from "../debian.ts";
import { runProcess } from "../process.ts";

const names = [
  // Without windows, it takes half of the processor time.
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
];
const elsewhere = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/snap/bin/chromium",
];

/** What to do where no browser can be found or installed. */
const remedy =
  "Install Chromium or Chrome (on Debian: apt-get install chromium), or set CHROMIUM_PATH to its program";

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * The program of a Chromium: CHROMIUM_PATH, or the first one that the system has.
 * @throws Error when CHROMIUM_PATH names none
 */
export async function findChromium(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | undefined> {
  const given = env["CHROMIUM_PATH"] ?? "";
  if (given !== "") {
    if (await isProgram(given)) return given;
    throw new Error(`CHROMIUM_PATH is "${given}", which is not a program`);
  }
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const places = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere];
  for (const place of places) if (await isProgram(place)) return place;
  return undefined;
}

/** The program of a Chromium. @throws Error that says what to do when there is none */
export async function getChromium(): Promise<string> {
  const found = await findChromium();
  if (found === undefined) throw new Error(`There is no Chromium. ${remedy}`);
  return found;
}

/** Its version, as it says itself. @throws Error when it does not run */
export async function readChromiumVersion(path: string): Promise<string> {
  const { code, output } = await runProcess({
    command: path,
    args: ["--version", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    timeoutMs: 60_000,
  });
  const version = /(?:Chromium|Chrome|Edge)\D*[\d.]+/u.exec(output)?.[0];
  if (code !== 0 || version === undefined)
    throw new Error(`"${path}" does not run: ${output.trim()}\n${remedy}`);
  return version;
}

/** Installs Chromium from Debian's packages. @throws Error that says what to do when that cannot be done */
export async function installChromium(): Promise<string> {
  try {
    await installPackages(["chromium"]);
  } catch (error) {
    throw new Error(
      `Chromium could not be installed: ${error instanceof Error ? error.message : String(error)}\n${remedy}`,
      {
        cause: error,
      },
    );
  }
  return getChromium();
}
