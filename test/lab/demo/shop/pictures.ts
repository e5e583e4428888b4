/** Pictures of the demo's goods, drawn here: a few plain shapes on a quiet ground, as PNG. */
import sharp from "sharp";

/** Three tones of one thing. */
export interface Paint {
  readonly main: string;
  readonly dark: string;
  readonly light: string;
}

export const paints = {
  navy: { main: "#2f4a6d", dark: "#1d3049", light: "#dfe7f0" },
  sand: { main: "#d9b98c", dark: "#a8854f", light: "#f6efe3" },
  forest: { main: "#3f6b52", dark: "#274736", light: "#e0ece5" },
  brick: { main: "#b5563f", dark: "#7f3827", light: "#f6e4de" },
  slate: { main: "#5d6b78", dark: "#3b4650", light: "#e6eaed" },
  honey: { main: "#e0a32e", dark: "#a87414", light: "#fbf0d8" },
} as const satisfies Record<string, Paint>;
export type PaintName = keyof typeof paints;

/** Each on a field of 100 × 100. */
const shapes = {
  shirt: ({ main, dark }) =>
    `<path d="M36 22 20 31l7 15 8-4v38h30V42l8 4 7-15-16-9q-14 11-28 0z" fill="${main}"/><path d="M36 22q14 11 28 0" fill="none" stroke="${dark}" stroke-width="2"/>`,
  hoodie: ({ main, dark }) =>
    `<path d="M36 24 19 35l6 38h9V50v31h32V50v23h9l6-38-17-11z" fill="${main}"/><path d="M36 24q3 17 14 17t14-17q-14-12-28 0z" fill="${dark}"/><path d="M40 62h20v12H40z" fill="${dark}" opacity=".4"/>`,
  beanie: ({ main, dark }) =>
    `<circle cx="50" cy="22" r="6" fill="${dark}"/><path d="M24 64q0-38 26-38t26 38z" fill="${main}"/><rect x="21" y="62" width="58" height="14" rx="6" fill="${dark}"/>`,
  bag: ({ main, dark }) =>
    `<path d="M37 42V30q0-12 13-12t13 12v12" fill="none" stroke="${dark}" stroke-width="4"/><path d="M26 40h48l4 42H22z" fill="${main}"/>`,
  socks: ({ main, dark }) =>
    `<path d="M38 18h16v36l16 12q7 6 1 13t-14 2L42 69q-4-3-4-9z" fill="${main}"/><path d="M38 18h16v8H38zm0 14h16v5H38zm0 10h16v5H38z" fill="${dark}"/>`,
  cape: ({ main, dark }) =>
    `<path d="M50 16q-15 0-16 16L18 80h64L66 32q-1-16-16-16z" fill="${main}"/><path d="M50 34v46" stroke="${dark}" stroke-width="2"/><circle cx="50" cy="27" r="8" fill="${dark}"/>`,
  mug: ({ main, dark }) =>
    `<path d="M66 40h8q10 0 10 11t-10 11h-8" fill="none" stroke="${dark}" stroke-width="5"/><path d="M26 32h42v36q0 10-10 10H36q-10 0-10-10z" fill="${main}"/><ellipse cx="47" cy="32" rx="21" ry="5" fill="${dark}"/>`,
  towel: ({ main, dark }) =>
    `<path d="M28 18h44v64H28z" fill="${main}"/><path d="M28 62h44M28 68h44M28 74h44" stroke="${dark}" stroke-width="2.5"/>`,
  board: ({ main, dark }) =>
    `<rect x="28" y="32" width="44" height="52" rx="10" fill="${main}"/><rect x="44" y="14" width="12" height="24" rx="6" fill="${main}"/><circle cx="50" cy="20" r="3" fill="${dark}"/><path d="M36 46q14 6 28 0M36 60q14 6 28 0" stroke="${dark}" fill="none" opacity=".5"/>`,
  pot: ({ main, dark }) =>
    `<path d="M22 44h56v24q0 12-12 12H34q-12 0-12-12z" fill="${main}"/><rect x="18" y="38" width="64" height="7" rx="3.5" fill="${dark}"/><rect x="45" y="28" width="10" height="9" rx="3" fill="${dark}"/>`,
  jar: ({ main, dark, light }) =>
    `<rect x="30" y="34" width="40" height="48" rx="9" fill="${main}"/><rect x="33" y="22" width="34" height="13" rx="4" fill="${dark}"/><rect x="36" y="48" width="28" height="20" rx="2" fill="${light}"/>`,
  tin: ({ main, dark, light }) =>
    `<rect x="28" y="28" width="44" height="54" rx="5" fill="${main}"/><rect x="26" y="22" width="48" height="11" rx="4" fill="${dark}"/><path d="M50 46q12 8 0 22-12-14 0-22z" fill="${light}"/>`,
  book: ({ main, dark, light }) =>
    `<rect x="28" y="18" width="46" height="64" rx="4" fill="${main}"/><path d="M28 18h9v64h-9z" fill="${dark}"/><rect x="44" y="30" width="22" height="10" fill="${light}"/>`,
  pen: ({ main, dark }) =>
    `<path d="m30 74 6-14 34-34q5-5 10 0t0 10L46 70z" fill="${main}"/><path d="m30 74 6-14 10 10z" fill="${dark}"/>`,
  lamp: ({ main, dark }) =>
    `<path d="M38 22h28l10 24H28z" fill="${main}"/><path d="M52 46v30" stroke="${dark}" stroke-width="4"/><rect x="34" y="75" width="36" height="7" rx="3.5" fill="${dark}"/>`,
  calendar: ({ main, dark, light }) =>
    `<rect x="24" y="24" width="52" height="56" rx="5" fill="${light}" stroke="${dark}" stroke-width="2"/><path d="M24 24h52v14H24z" fill="${main}"/><g fill="${dark}">${[0, 1, 2].map((row) => [0, 1, 2, 3].map((column) => `<rect x="${31 + column * 11}" y="${45 + row * 11}" width="6" height="6" rx="1"/>`).join("")).join("")}</g>`,
  pencils: ({ main, dark, light }) =>
    [main, dark, light, main, dark]
      .map(
        (color, index) =>
          `<path d="M${24 + index * 11} 82V36l4-12 4 12v46z" fill="${color}" stroke="${dark}" stroke-width=".6"/>`,
      )
      .join(""),
  cards: ({ main, dark, light }) =>
    `<rect x="20" y="34" width="50" height="36" rx="2" fill="${dark}" transform="rotate(-8 45 52)"/><rect x="28" y="36" width="52" height="36" rx="2" fill="${light}" stroke="${dark}"/><path d="M28 64 44 50l12 10 8-6 16 12v6H28z" fill="${main}"/>`,
  window: ({ main, dark, light }) =>
    `<rect x="18" y="24" width="64" height="52" rx="5" fill="${light}" stroke="${dark}" stroke-width="2"/><path d="M18 29q0-5 5-5h54q5 0 5 5v7H18z" fill="${main}"/><path d="M26 46h30M26 54h40M26 62h22" stroke="${dark}" stroke-width="3"/>`,
  key: ({ main, dark }) =>
    `<circle cx="36" cy="50" r="15" fill="none" stroke="${main}" stroke-width="8"/><path d="M51 50h31v10M70 50v8" stroke="${dark}" stroke-width="7" fill="none"/>`,
  icons: ({ main, dark }) =>
    `<circle cx="34" cy="34" r="12" fill="${main}"/><rect x="54" y="22" width="24" height="24" rx="4" fill="${dark}"/><path d="m34 54 13 24H21z" fill="${dark}"/><path d="M66 54l12 12-12 12-12-12z" fill="${main}"/>`,
  chart: ({ main, dark, light }) =>
    `<rect x="22" y="20" width="56" height="60" rx="3" fill="${light}" stroke="${dark}" stroke-width="2"/><path d="M22 62q14-16 28-4t28-10v29q0 3-3 3H25q-3 0-3-3z" fill="${main}"/><path d="M44 28v20l12-2z" fill="${dark}"/>`,
  talk: ({ main, dark, light }) =>
    `<path d="M24 24h52q5 0 5 5v30q0 5-5 5H48L34 78V64H24q-5 0-5-5V29q0-5 5-5z" fill="${main}"/><path d="M32 38h36M32 48h24" stroke="${light}" stroke-width="4"/><circle cx="74" cy="70" r="8" fill="${dark}"/>`,
  scene: ({ main, dark, light }) =>
    `<rect x="16" y="26" width="68" height="48" rx="4" fill="${light}" stroke="${dark}" stroke-width="2"/><circle cx="66" cy="40" r="6" fill="${dark}"/><path d="m17 70 20-24 14 16 9-9 23 19q-1 1-3 1H20q-3 0-3-3z" fill="${main}"/>`,
} satisfies Record<string, (paint: Paint) => string>;
export type Shape = keyof typeof shapes;

/** A picture of 1,000 × 1,000. */
export function drawPicture(shape: Shape, paint: PaintName): Promise<Buffer> {
  const tones = paints[paint];
  const ground = `<rect width="100" height="100" fill="${tones.light}"/><ellipse cx="50" cy="84" rx="30" ry="4" fill="${tones.dark}" opacity=".14"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000" viewBox="0 0 100 100">${ground}${shapes[shape](tones)}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
