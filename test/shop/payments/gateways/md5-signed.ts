/** MD5 signatures as the documentation of Epay, Epusdt and TokenPay has them, apart from the shop's own code. */
import { createHash } from "node:crypto";
import { exponentOf } from "../../../../src/shop/base/money.ts";

/** Fields sorted by name, the empty ones and the named ones left out, the key behind them. */
export function md5Sign(fields: Readonly<Record<string, unknown>>, key: string, except: string[]): string {
  const text = Object.keys(fields)
    .filter((name) => !except.includes(name) && fields[name] !== "" && fields[name] !== undefined)
    .sort()
    .map((name) => `${name}=${String(fields[name])}`)
    .join("&");
  return createHash("md5")
    .update(text + key)
    .digest("hex");
}

/** Minor units as the number of a service, for amounts of tests. */
export function toUnits(amount: number, currency: string): number {
  return amount / 10 ** exponentOf(currency);
}

/** A service's number as minor units, for amounts of tests. */
export function toMinor(units: unknown, currency: string): number {
  return Math.round(Number(units) * 10 ** exponentOf(currency));
}

/** A text with its last character changed, as a signature that is wrong. */
export function spoil(text: string): string {
  return text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
}
