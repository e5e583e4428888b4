/** One accent color: every theme gets a shade that can be read. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  accentThemes,
  contrastOf,
  findAccentFault,
  hardestSurfaces,
  toAccent,
  toAccentStyles,
  toReadable,
} from "../../../src/kit/brand/accent.ts";

const colors = fc
  .integer({ min: 0, max: 0xff_ffff })
  .map((number) => `#${number.toString(16).padStart(6, "0")}`);

describe("the shade of an accent color in a theme", () => {
  it("has a contrast of 4.5:1 to the theme, and the text on it too, whatever the color", () => {
    fc.assert(
      fc.property(colors, (color) => {
        const accent = toAccent(color);
        for (const theme of accentThemes) {
          assert.ok(contrastOf(accent[theme], hardestSurfaces[theme]) >= 4.5, `${color} ${theme}`);
          const [, ink = ""] =
            /--accent-ink:(#[\da-f]{6})/u.exec(
              toAccentStyles({ light: "", dark: "", [theme]: accent[theme] }),
            ) ?? [];
          assert.ok(contrastOf(accent[theme], ink) >= 4.5, `${color} ${ink}`);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("is the color itself where that can be read, and the nearest one that can otherwise", () => {
    fc.assert(
      fc.property(colors, fc.constantFrom(...accentThemes), (color, theme) => {
        const shade = toReadable(color, theme);
        if (findAccentFault(color, theme) === undefined) assert.equal(shade, color);
        else assert.ok(contrastOf(shade, hardestSurfaces[theme]) < 5.1, `${color} ${shade}`);
      }),
      { numRuns: 2_000 },
    );
  });
});
