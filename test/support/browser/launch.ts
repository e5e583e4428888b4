/** Starts the browser of tests, screenshots and measurements. */
import process from "node:process";
import { type Browser, chromium } from "playwright-core";
import { getChromium } from "./chromium.ts";

/** What keeps the browser from asking the internet for anything, and from needing a graphics card. */
const quiet = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Texts are laid out alike on every screen.
  "--font-render-hinting=none",
];

export interface LaunchOptions {
  /** Further arguments of the browser. */
  readonly args?: readonly string[];
}

/** Starts a headless Chromium. @throws Error that says what to do when there is none */
export async function launchBrowser({ args = [] }: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: await getChromium(),
    // Root has no sandbox.
    args: [...quiet, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...args],
  });
}
