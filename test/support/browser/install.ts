/**
 * `npm run chromium [-- --fonts] [--shell]`: sees that there is a Chromium for the browser tests, and installs one from
 * Debian's packages when there is none. --fonts brings what the screenshots need: Chinese, and flags. --shell brings the
 * Chromium without windows, which takes less processor time, also beside a whole one; where it cannot, that one does.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../../../src/kit/thrown.ts";
import { findChromium, installChromium, readChromiumVersion } from "./chromium.ts";
import { installPackages } from "../debian.ts";
import { killAllOnSignal } from "../process.ts";

/** The smallest packages that have all of Chinese, and the flags. */
const fontPackages = ["fonts-wqy-microhei", "fonts-noto-color-emoji"];

killAllOnSignal();
try {
  const { values } = parseArgs({
    options: { fonts: { type: "boolean", default: false }, shell: { type: "boolean", default: false } },
  });
  let path = await findChromium();
  const isGiven = (process.env["CHROMIUM_PATH"] ?? "") !== "";
  if (values.shell && !isGiven && path?.endsWith("headless-shell") !== true) {
    await installPackages(["chromium-headless-shell"]).catch((error: unknown) => console.log(textOf(error)));
    path = await findChromium();
  }
  if (path === undefined) {
    console.log("There is no Chromium: installing Debian's");
    path = await installChromium();
  }
  if (values.fonts) await installPackages(fontPackages);
  console.log(`${await readChromiumVersion(path)} at ${path}`);
} catch (error) {
  console.error(textOf(error));
  process.exitCode = 1;
}
