/** Every reader of foreign bytes as a function of bytes: it answers or rejects them in the way it promises, and nothing else. */
import { dataTargets } from "./fuzz-data.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { libraryTargets } from "./fuzz-library.ts";
import { webTargets } from "./fuzz-web.ts";

export const fuzzTargets: Readonly<Record<string, FuzzTarget>> = {
  ...dataTargets,
  ...webTargets,
  ...libraryTargets,
};
