/** The parts of bidi-js that are used here; the package declares no types. */
declare module "bidi-js/dist/bidi.mjs" {
  interface Bidi {
    /** The embedding level of each UTF-16 unit (UAX #9). */
    getEmbeddingLevels(text: string): { readonly levels: Uint8Array };
    /** The mirrored letter, such as ")" for "("; null for letters without one. */
    getMirroredCharacter(letter: string): string | null;
  }
  export default function createBidi(): Bidi;
}
