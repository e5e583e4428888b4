/** Pictures that sections of the home page name, and that are no longer there. */
import type { Blobs } from "../../base/blobs.ts";
import { isKnownSection } from "../../site/storefront-schema.ts";
import type { SiteSettings } from "../../site/schema.ts";

type Named = Pick<SiteSettings, "storefront">;

/** Hashes of pictures that are gone. */
export type FindLostPictures = (site: Named) => Promise<ReadonlySet<string>>;

function listPictures({ storefront }: Named): string[] {
  return storefront.sections.flatMap((section) =>
    isKnownSection(section) && "image" in section && section.image !== undefined ? [section.image.hash] : [],
  );
}

/** Creates what looks for them: once for each state of the settings, and never for each request. */
export function createFindLostPictures(blobs: Pick<Blobs, "get">): FindLostPictures {
  const known = new WeakMap<object, Promise<ReadonlySet<string>>>();

  async function find(site: Named): Promise<ReadonlySet<string>> {
    const lost = new Set<string>();
    for (const hash of listPictures(site)) {
      // A damaged one cannot be shown either.
      const bytes = await blobs.get(hash).catch(() => undefined);
      if (bytes === undefined) lost.add(hash);
    }
    return lost;
  }

  return (site) => {
    const { sections } = site.storefront;
    const found = known.get(sections) ?? find(site);
    known.set(sections, found);
    return found;
  };
}
