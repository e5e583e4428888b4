/** Character references of HTML that editors of shops write. */

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  euro: "€",
  pound: "£",
  yen: "¥",
  copy: "©",
  reg: "®",
  trade: "™",
  deg: "°",
  plusmn: "±",
  times: "×",
  frac12: "½",
  sup2: "²",
  sup3: "³",
  micro: "µ",
  middot: "·",
  bull: "•",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  sbquo: "‚",
  ldquo: "“",
  rdquo: "”",
  bdquo: "„",
  laquo: "«",
  raquo: "»",
  szlig: "ß",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  eacute: "é",
  egrave: "è",
  agrave: "à",
  ccedil: "ç",
  ntilde: "ñ",
  aring: "å",
  oslash: "ø",
};

function fromCode(code: number): string {
  const isText = code >= 0x20 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isText || code === 9 || code === 10 ? String.fromCodePoint(code) : "";
}

/** The text with its character references replaced; unknown ones stay. */
export function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,10}));/giu,
    (whole, hex, decimal, name) => {
      if (typeof hex === "string") return fromCode(Number.parseInt(hex, 16));
      if (typeof decimal === "string") return fromCode(Number(decimal));
      return Object.hasOwn(named, String(name)) ? (named[String(name)] ?? "") : String(whole);
    },
  );
}
