/** Pages that are the same for everybody but for the token in their forms: rendered once and kept as bytes. */
import { newCodeText } from "../kit/secrets/id.ts";

export interface KeptPages {
  /** Stands in a page that is to be kept where the token goes. Nobody else knows it. */
  readonly placeholder: string;
  /** The page with a token in its forms, if it is kept in that version. */
  find(name: string, version: string, token: string): Uint8Array<ArrayBuffer> | undefined;
  /** Keeps a page with the placeholder in it, in the place of any other version. */
  keep(name: string, version: string, html: string): void;
}

interface KeptPage {
  readonly version: string;
  /** What stands before, between and after the places of the token. */
  readonly parts: readonly Uint8Array[];
  readonly sizeBytes: number;
}

const encoder = new TextEncoder();

function fill({ parts, sizeBytes }: KeptPage, token: string): Uint8Array<ArrayBuffer> {
  const inserted = encoder.encode(token);
  const page = new Uint8Array(sizeBytes + (parts.length - 1) * inserted.length);
  let at = 0;
  for (const part of parts) {
    if (at > 0) page.set(inserted, at - inserted.length);
    page.set(part, at);
    at += part.length + inserted.length;
  }
  return page;
}

/** Makes a memory of pages; it has one version of each name. */
export function createKeptPages(): KeptPages {
  const placeholder = newCodeText(26);
  const pages = new Map<string, KeptPage>();
  return {
    placeholder,
    find: (name, version, token) => {
      const page = pages.get(name);
      return page?.version === version ? fill(page, token) : undefined;
    },
    keep: (name, version, html) => {
      const parts = html.split(placeholder).map((part) => encoder.encode(part));
      pages.set(name, { version, parts, sizeBytes: parts.reduce((sum, part) => sum + part.length, 0) });
    },
  };
}
