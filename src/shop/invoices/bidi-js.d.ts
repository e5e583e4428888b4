/** bidi-js as a module of its own: what it declares for its CommonJS form does not fit how Node imports that. */
declare module "bidi-js/dist/bidi.mjs" {
  import type { Bidi } from "bidi-js";
  export default function createBidi(): Bidi;
}
