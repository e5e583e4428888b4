/** Bytes as text and back, with Web APIs alone. Hidden here: that a string is made of pieces, as a call takes so many arguments. */

const PIECE = 8_192;

/** Base64 of bytes, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += PIECE)
    text += String.fromCharCode(...bytes.subarray(from, from + PIECE));
  return btoa(text);
}

/** The bytes of {@link toBase64}. @throws DOMException when the text is something else */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
