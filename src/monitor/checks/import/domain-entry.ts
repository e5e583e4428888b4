/** Checks of domains that other programs make a part of other checks. */
import { getDomain } from "tldts";
import { EntryDraft, type ImportEntry } from "./entry.ts";

/** A domain to check, as the file names it: a URL, or a host. */
export interface WantedDomain {
  readonly address: string;
  readonly group: string;
  /** Undefined: the default. */
  readonly days?: number | undefined;
}

const HOURS_6 = 21_600;

/** One check for each registrable domain, with the most days that were asked for. */
export function toDomainEntries(wanted: readonly WantedDomain[]): readonly ImportEntry[] {
  const byName = new Map<string, WantedDomain>();
  for (const one of wanted) {
    const domain = getDomain(one.address);
    const known = domain === null ? undefined : byName.get(domain);
    if (domain !== null && (known === undefined || (one.days ?? 0) > (known.days ?? 0)))
      byName.set(domain, one);
  }
  return [...byName].map(([domain, { group, days }]) => {
    const draft = new EntryDraft(`Domain ${domain}`, "domain");
    draft.fields["group"] = group;
    draft.fields["target"] = {
      kind: "domain",
      domain,
      ...(days !== undefined && { days: Math.min(365, days) }),
    };
    draft.setInterval(HOURS_6);
    return draft.finish();
  });
}
