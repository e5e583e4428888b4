/**
 * Pages that are the same for all visitors except for a few placeholders, such as the token in their forms: rendered
 * once and kept as bytes.
 */
import { newCodeText } from "../kit/secrets/id.ts";

/** HTML for the placeholders of a page. */
export type HoleValues<Hole extends string> = Readonly<Record<Hole, string>>;

export interface KeptPages<Hole extends string> {
  /** Placeholders of a cached page where values go; random, so that they cannot be guessed. */
  readonly placeholders: HoleValues<Hole>;
  /** The page with values in its places, if it is kept in that version. */
  find(name: string, version: string, values: HoleValues<Hole>): Uint8Array<ArrayBuffer> | undefined;
  /** Keeps a page with the placeholders in it, in the place of any other version. */
  keep(name: string, version: string, html: string): void;
}

interface KeptPage<Hole> {
  readonly version: string;
  /** The bytes before each placeholder with its name, and at the end those after the last one. */
  readonly parts: readonly { readonly bytes: Uint8Array; readonly hole: Hole | undefined }[];
  readonly sizeBytes: number;
}

const encoder = new TextEncoder();

function fill<Hole extends string>(
  { parts, sizeBytes }: KeptPage<Hole>,
  values: HoleValues<Hole>,
): Uint8Array<ArrayBuffer> {
  const inserted = new Map<Hole, Uint8Array>();
  let size = sizeBytes;
  for (const { hole } of parts) {
    if (hole === undefined) continue;
    const bytes = inserted.get(hole) ?? encoder.encode(values[hole]);
    inserted.set(hole, bytes);
    size += bytes.length;
  }
  const page = new Uint8Array(size);
  let at = 0;
  for (const { bytes, hole } of parts) {
    page.set(bytes, at);
    at += bytes.length;
    const value = hole === undefined ? undefined : inserted.get(hole);
    if (value === undefined) continue;
    page.set(value, at);
    at += value.length;
  }
  return page;
}

/** Creates a cache of pages; it has one version of each name, and evicts the least recently used. */
export function createKeptPages<Hole extends string>({
  holes,
  maxBytes = Number.POSITIVE_INFINITY,
}: {
  readonly holes: readonly Hole[];
  /** Of all pages together. */
  readonly maxBytes?: number;
}): KeptPages<Hole> {
  // Words of letters and digits: whatever is escaped stays as it is. The keys are those of `holes`.
  const placeholders = Object.fromEntries(holes.map((hole) => [hole, newCodeText(26)])) as Record<
    Hole,
    string
  >;
  const byPlaceholder = new Map(holes.map((hole) => [placeholders[hole], hole]));
  const pattern = new RegExp(`(${[...byPlaceholder.keys()].join("|")})`, "u");
  /** Least recently used first. */
  const pages = new Map<string, KeptPage<Hole>>();
  let keptBytes = 0;

  function forget(name: string, page: KeptPage<Hole>): void {
    pages.delete(name);
    keptBytes -= page.sizeBytes;
  }

  return {
    placeholders,
    find: (name, version, values) => {
      const page = pages.get(name);
      if (page?.version !== version) return undefined;
      pages.delete(name);
      pages.set(name, page);
      return fill(page, values);
    },
    keep: (name, version, html) => {
      const before = pages.get(name);
      if (before !== undefined) forget(name, before);
      const pieces = html.split(pattern);
      const parts: { bytes: Uint8Array; hole: Hole | undefined }[] = [];
      for (let at = 0; at < pieces.length; at += 2)
        parts.push({
          bytes: encoder.encode(pieces[at]),
          hole: byPlaceholder.get(pieces[at + 1] ?? ""),
        });
      const sizeBytes = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (sizeBytes > maxBytes) return;
      pages.set(name, { version, parts, sizeBytes });
      keptBytes += sizeBytes;
      for (const [other, page] of pages) {
        if (keptBytes <= maxBytes) break;
        forget(other, page);
      }
    },
  };
}
