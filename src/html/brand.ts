/** The owner's brand as pages show it: a logo, and one style sheet of the accent and the owner's own rules. */
import { type Accent, toAccentStyles } from "../kit/brand/accent.ts";
import { type Logo, readLogo } from "../kit/brand/logo.ts";
import { createEntityTag } from "../kit/http/etag.ts";

export interface BrandSettings {
  readonly accent: Accent;
  readonly logo: string;
  readonly customCss: string;
}

/** A file with the address that it has as long as it stays the same. */
export interface BrandFile<T> {
  readonly path: string;
  readonly content: T;
}

export interface Brand {
  /** Accent and own rules; undefined when the owner changed nothing. */
  readonly styles: BrandFile<string> | undefined;
  /** The accent alone, for the console, which no rules of the owner's may break. */
  readonly accent: BrandFile<string> | undefined;
  readonly logo: BrandFile<Logo> | undefined;
}

/** A text by which a content is known, for a path. */
async function toHash(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return (await createEntityTag(bytes)).replaceAll('"', "");
}

async function toSheet(name: string, parts: readonly string[]): Promise<BrandFile<string> | undefined> {
  const content = parts.filter((part) => part !== "").join("\n");
  if (content === "") return undefined;
  return { path: `/brand/${await toHash(new TextEncoder().encode(content))}/${name}.css`, content };
}

async function makeBrand({ accent, logo: address, customCss }: BrandSettings): Promise<Brand> {
  const colours = toAccentStyles(accent);
  const logo = readLogo(address);
  return {
    styles: await toSheet("custom", [colours, customCss]),
    accent: await toSheet("accent", [colours]),
    logo: logo && { path: `/brand/${await toHash(logo.bytes)}/logo`, content: logo },
  };
}

/** Creates what gives the brand of settings; it is created again when their version changes. */
export function createBrands(): (settings: {
  readonly fields: BrandSettings;
  readonly version: number;
}) => Promise<Brand> {
  let made: { readonly version: number; readonly brand: Promise<Brand> } | undefined;
  return ({ fields, version }) => {
    if (made?.version !== version) made = { version, brand: makeBrand(fields) };
    return made.brand;
  };
}
