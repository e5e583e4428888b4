/** Typing errors in the domains of email addresses. Asked about, never refused: the domain may exist. */

import { isMailAddress } from "../../../kit/mail/mail.ts";

/** Providers whose names are long enough for a neighbor to be a slip rather than another name. */
const providers = [
  "gmail.com",
  "googlemail.com",
  "hotmail.com",
  "outlook.com",
  "yahoo.com",
  "icloud.com",
  "proton.me",
  "protonmail.com",
  "t-online.de",
  "freenet.de",
  "posteo.de",
  "comcast.net",
  "fastmail.com",
  "laposte.net",
  "hotmail.co.uk",
  "yahoo.co.uk",
  "orange.fr",
  "wanadoo.fr",
  "libero.it",
  "yandex.ru",
  "foxmail.com",
];
/** Those that exist though they differ from one above by a letter. */
const neighbors = new Set(["mail.com", "ymail.com", "email.com", "rmail.com", "hotmail.co", "yandex.com"]);
const ENDING = /\.(?:con|cmo|ocm|vom|xom|comm|cpm)$/u;

/** Whether a letter was added, left out or replaced, or two were swapped. */
function isOneSlipApart(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left === `${right[1]}${right[0]}`;
}

function findDomain(domain: string): string | undefined {
  if (providers.includes(domain) || neighbors.has(domain)) return undefined;
  if (!domain.includes("."))
    return providers.find((name) => isOneSlipApart(name.slice(0, name.indexOf(".")), domain));
  const near = providers.find((name) => isOneSlipApart(name, domain));
  return near ?? (ENDING.test(domain) ? domain.replace(ENDING, ".com") : undefined);
}

/** Why an email address looks mistyped, with a suggestion, if there is one. */
export interface MailSlip {
  readonly meant?: string | undefined;
}

/** The slip in an address; undefined when it looks right. */
export function findMailSlip(address: string): MailSlip | undefined {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1).toLowerCase();
  if (!isMailAddress(address)) return undefined;
  const found = findDomain(domain);
  if (found !== undefined) return { meant: `${address.slice(0, at)}@${found}` };
  return domain.includes(".") ? undefined : {};
}
