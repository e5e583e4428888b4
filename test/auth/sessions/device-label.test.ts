import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toDeviceLabel } from "../../../src/auth/sessions/device-label.ts";

const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";

describe("toDeviceLabel", () => {
  for (const [label, userAgent] of [
    ["Chrome on Android", `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${chrome}`],
    ["Edge on Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/120.0.0.0`],
    ["Opera on Linux", `Mozilla/5.0 (X11; Linux x86_64) ${chrome} OPR/106.0.0.0`],
    ["Chrome on macOS", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome}`],
    [
      "Safari on iPhone",
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 Version/17.2 Safari/604.1",
    ],
    ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0"],
    ["curl", "curl/8.5.0"],
    ["Unknown device", ""],
    ["Unknown device", "x".repeat(200)],
  ] as const) {
    it(`calls it "${label}": ${userAgent.slice(0, 60)}`, () => {
      assert.equal(toDeviceLabel(userAgent), label);
    });
  }
});
