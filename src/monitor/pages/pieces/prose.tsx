/** @jsxImportSource hono/jsx */
/** Plain text of administrators: its line breaks stay, and addresses in it become links. */

const ADDRESS = /https?:\/\/[^\s<>"'`]+/gu;
/** Punctuation at the end of a sentence is not part of a URL. */
const TRAILING = /[.,;:!?)\]}]$/u;

interface Piece {
  readonly text: string;
  readonly isLink: boolean;
}

/** Splits a text into what is read and what is followed. */
export function toPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(ADDRESS)) {
    let [address] = match;
    while (TRAILING.test(address)) address = address.slice(0, -1);
    if (!URL.canParse(address)) continue;
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), isLink: false });
    pieces.push({ text: address, isLink: true });
    at = match.index + address.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isLink: false });
  return pieces;
}

export function Prose({ text, lang }: { readonly text: string; readonly lang?: string | undefined }) {
  return (
    <p class="prose" lang={lang}>
      {toPieces(text).map((piece) =>
        piece.isLink ? (
          <a href={piece.text} rel="nofollow noopener">
            {piece.text}
          </a>
        ) : (
          piece.text
        ),
      )}
    </p>
  );
}
