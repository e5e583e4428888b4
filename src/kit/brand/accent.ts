/** The owner's accent colour: whether it can be read in its theme, and the styles that bring it to the page. */

/** The surface of each theme on which the accent is hardest to read: `--sunken` of web/styles/tokens.css. */
export const hardestSurfaces = { light: "#f3f4f2", dark: "#1d2521" } as const;
export type AccentTheme = keyof typeof hardestSurfaces;
export const accentThemes = ["light", "dark"] as const satisfies readonly AccentTheme[];
/** WCAG 2.2, success criterion 1.4.3. */
const LEAST_CONTRAST = 4.5;
const WHITE = "#ffffff";
const BLACK = "#000000";

/** Characters of #rrggbb. */
export const COLOR_LENGTH = 7;

/** A colour for each theme, as #rrggbb; "" for the product's own. */
export type Accent = Readonly<Record<AccentTheme, string>>;

/** Relative luminance of #rrggbb (WCAG 2.2). */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours of the form #rrggbb, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Why a colour cannot be the accent of a theme; undefined when it can. */
export function findAccentFault(colour: string, theme: AccentTheme): string | undefined {
  const contrast = contrastOf(colour, hardestSurfaces[theme]);
  if (contrast >= LEAST_CONTRAST) return undefined;
  // Rounded down: 4.49 is not enough and must not read as 4.5.
  const shown = (Math.floor(contrast * 10) / 10).toFixed(1);
  const wanted = theme === "light" ? "darker" : "lighter";
  return `has a contrast of ${shown}:1 with the ${theme} theme. Links need ${LEAST_CONTRAST}:1. Choose a ${wanted} color`;
}

function toHex(parts: readonly number[]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** A color with a share of another in it, 0 to 1. */
function mix(colour: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [from, to] = [colour, other].map((each) => Number.parseInt(each.slice(at, at + 2), 16));
    return (from ?? 0) + ((to ?? 0) - (from ?? 0)) * share;
  });
  return toHex(parts);
}

/** Steps between a color and black or white. */
const SHADES = 100;

/** The nearest shade of a color (#rrggbb) that can be read in a theme: darker in the light one, lighter in the dark one. */
export function toReadable(colour: string, theme: AccentTheme): string {
  const end = theme === "light" ? BLACK : WHITE;
  for (let step = 0; step < SHADES; step += 1) {
    const shade = mix(colour, end, step / SHADES);
    if (findAccentFault(shade, theme) === undefined) return shade;
  }
  return end;
}

/** The accent of each theme that follows from one color. */
export function toAccent(colour: string): Accent {
  return { light: toReadable(colour, "light"), dark: toReadable(colour, "dark") };
}

function toProperties(colour: string): string {
  const ink = contrastOf(colour, WHITE) >= LEAST_CONTRAST ? WHITE : BLACK;
  return `--accent:${colour};--accent-ink:${ink};--accent-soft:color-mix(in srgb,${colour} 15%,var(--surface))`;
}

/** The style sheet of an accent; "" when both colours are the product's own. */
export function toAccentStyles(accent: Accent): string {
  const styles = (["light", "dark"] as const).map((theme) => {
    if (accent[theme] === "") return "";
    const properties = toProperties(accent[theme]);
    return `[data-theme="${theme}"]{${properties}}@media(prefers-color-scheme:${theme}){[data-theme="auto"]{${properties}}}`;
  });
  return styles.join("");
}
