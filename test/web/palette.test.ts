/** The colours of charts: seen on their ground (WCAG 1.4.11), and told apart by people who do not see all colours. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** How colours look without one kind of cones: Machado, Oliveira, Fernandes 2009, severity 1, in linear sRGB. */
const sights: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function apply(matrix: Matrix, [a, b, c]: Triple): Triple {
  const [x, y, z] = matrix.map((row) => row[0] * a + row[1] * b + row[2] * c);
  return [x ?? 0, y ?? 0, z ?? 0];
}

function toLinear(hex: string): Triple {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function toContrast(one: string, other: string): number {
  const [a = 0, b = 0] = [one, other]
    .map(
      (hex) =>
        apply(
          [
            [0.2126, 0.7152, 0.0722],
            [0, 0, 0],
            [0, 0, 0],
          ],
          toLinear(hex),
        )[0],
    )
    .toSorted((left, right) => right - left);
  return (a + 0.05) / (b + 0.05);
}

/** Oklab, in which equal distances look equal (Ottosson 2020). */
function toOklab(linear: Triple): Triple {
  const cones = apply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    linear,
  );
  return apply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(cones[0]), Math.cbrt(cones[1]), Math.cbrt(cones[2])],
  );
}

function toDistance(one: string, other: string, sight: Matrix): number {
  const [a, b] = [one, other].map((hex) => {
    const [red, green, blue] = apply(sight, toLinear(hex));
    return toOklab([Math.max(0, red), Math.max(0, green), Math.max(0, blue)]);
  });
  return Math.hypot(...[0, 1, 2].map((at) => (a?.[at] ?? 0) - (b?.[at] ?? 0)));
}

const css = await readFile(new URL("../../src/web/styles/tokens.css", import.meta.url), "utf8");
const themes = {
  light: css.slice(css.indexOf(":root"), css.indexOf('[data-theme="dark"]')),
  dark: css.slice(css.indexOf('[data-theme="dark"]'), css.indexOf("@media")),
  "the system's dark": css.slice(css.indexOf('[data-theme="auto"]')),
};

function readColour(theme: string, name: string): string {
  const found = new RegExp(`--${name}: (#[0-9a-f]{6});`, "u").exec(theme)?.[1];
  assert.ok(found, `--${name} is no colour`);
  return found;
}

describe("the colours of charts", () => {
  for (const [name, theme] of Object.entries(themes)) {
    const colours = (): readonly string[] =>
      [1, 2, 3, 4].map((number) => readColour(theme, `chart-${number}`));

    it(`contrast with the background by 3:1, ${name}`, () => {
      for (const colour of colours())
        assert.ok(toContrast(colour, readColour(theme, "surface")) >= 3, `${colour} is too faint`);
    });

    for (const [sight, matrix] of Object.entries(sights))
      it(`are distinguishable, ${name}, ${sight}`, () => {
        const all = colours();
        all.forEach((one, index) =>
          all.slice(0, index).forEach((other) => {
            // A fourth line is rare.
            const least = index < 3 ? 0.12 : 0.07;
            const distance = toDistance(one, other, matrix);
            assert.ok(distance >= least, `${one} and ${other}: ${distance.toFixed(3)}`);
          }),
        );
      });
  }
});
