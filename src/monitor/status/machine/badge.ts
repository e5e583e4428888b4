/** Badges: a label and a figure as a small picture, and the same for shields.io. All pure. */
import { escapeHtml } from "../../../kit/text/html.ts";

export interface Badge {
  readonly label: string;
  readonly message: string;
  readonly tone: BadgeTone;
}

const HEIGHT = 20;
/** On each side of a text. */
const PADDING = 6;
/** White on each reads well: 4.5:1 or better. */
const colours = {
  good: "#1f7a3d",
  plan: "#0d6b5c",
  warn: "#8f5a00",
  bad: "#b3261e",
  none: "#5f6c65",
} as const;
export type BadgeTone = keyof typeof colours;

/** Characters as wide as they are high: Chinese, Japanese, Korean, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NARROW = /[ijltfrI.,:;'|!()[\]{} ]/u;
const BROAD = /[mwMW@%&]/u;

/** About how wide a text is at 11 pixels in Verdana or what stands in for it, pixels; the picture fits the text to it. */
export function measureText(text: string): number {
  let width = 0;
  for (const character of text) {
    if (WIDE.test(character)) width += 11;
    else if (NARROW.test(character)) width += 4.4;
    else width += BROAD.test(character) ? 9.6 : 7;
  }
  return Math.ceil(width);
}

function toText(text: string, { x, width }: { x: number; width: number }): string {
  return `<text x="${x + PADDING}" y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escapeHtml(text)}</text>`;
}

/** The picture. It names nothing outside, and whatever is in its texts stays text. */
export function toBadgeSvg({ label, message, tone }: Badge): string {
  const [left, right] = [measureText(label), measureText(message)];
  const split = label === "" ? 0 : left + 2 * PADDING;
  const width = split + right + 2 * PADDING;
  const said = escapeHtml(label === "" ? message : `${label}: ${message}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${said}">`,
    `<title>${said}</title><clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${split}" height="${HEIGHT}" fill="#3a4640"/>`,
    `<rect x="${split}" width="${width - split}" height="${HEIGHT}" fill="${colours[tone]}"/></g>`,
    `<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,Noto Sans CJK SC,sans-serif" font-size="11">`,
    label === "" ? "" : toText(label, { x: 0, width: left }),
    `${toText(message, { x: split, width: right })}</g></svg>`,
  ].join("");
}

/** Data for shields.io's badges (endpoint schema, version 1). */
export function toShieldsEndpoint({ label, message, tone }: Badge): {
  schemaVersion: 1;
  label: string;
  message: string;
  color: string;
} {
  return { schemaVersion: 1, label, message, color: colours[tone] };
}
