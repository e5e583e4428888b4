/** Cutting texts by their octets, never within a character. */
const encoder = new TextEncoder();

/** Pieces of a text, the first of at most `first` octets of UTF-8, each further one of at most `further`. */
export function cutUtf8(
  text: string,
  { first, further }: { readonly first: number; readonly further: number },
): string[] {
  const pieces: string[] = [];
  let piece = "";
  let room = first;
  for (const character of text) {
    const octets = encoder.encode(character).length;
    if (octets > room) {
      pieces.push(piece);
      piece = "";
      room = further;
    }
    piece += character;
    room -= octets;
  }
  return [...pieces, piece];
}
