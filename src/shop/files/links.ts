/**
 * URLs that deliver one version of one file of one order line for an hour: signed, and without the order's token. They
 * only appear in responses, and lead to no page that would send them on as a referrer.
 */
import { isSameText } from "../../kit/secrets/same-text.ts";
import { newCodeText } from "../../kit/secrets/id.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";

const PURPOSE = "download-link";
/** How long a link may be begun with. */
const LINK_MS = 3_600_000;
const ID = /^[0-9A-Za-z_-]{1,100}$/u;

export interface DownloadLink {
  readonly orderId: string;
  readonly lineId: string;
  readonly fileId: string;
  /** Of the version. */
  readonly number: number;
  /** Distinguishes links: however often one is used, it counts once. */
  readonly id: string;
  readonly untilMs: number;
}

/** A link that is valid for an hour; with the ID of a counted one, it does not count again. */
export function createDownloadLink(
  goods: Omit<DownloadLink, "id" | "untilMs">,
  { nowMs, id = newCodeText(16) }: { readonly nowMs: number; readonly id?: string | undefined },
): DownloadLink {
  return { ...goods, id, untilMs: nowMs + LINK_MS };
}

/** The address of a link, below the shop's own. */
export function toDownloadUrl(box: SecretBox, link: DownloadLink): string {
  const { orderId, lineId, fileId, number, id, untilMs } = link;
  const text = [orderId, lineId, fileId, number, id, untilMs].join(".");
  return `/api/downloads/${text}.${box.mac(text, PURPOSE)}`;
}

/** Parses a link; undefined unless this shop created it. */
export function readDownloadLink(box: SecretBox, token: string): DownloadLink | undefined {
  const at = token.lastIndexOf(".");
  const text = token.slice(0, Math.max(0, at));
  if (!isSameText(token.slice(at + 1), box.mac(text, PURPOSE))) return undefined;
  const [orderId = "", lineId = "", fileId = "", number, id = "", untilMs, ...rest] = text.split(".");
  if (rest.length > 0 || ![orderId, lineId, fileId, id].every((part) => ID.test(part))) return undefined;
  return { orderId, lineId, fileId, number: Number(number), id, untilMs: Number(untilMs) };
}
