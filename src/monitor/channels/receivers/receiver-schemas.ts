/** Addresses and tokens of receivers, as schemas that are made when asked for. */
import { z } from "zod";
import { line } from "../../../kit/text/schemas.ts";

/** The error of a URL that {@link isWebAddress} rejects. */
export const NO_WEB_ADDRESS = "must start with http:// or https:// and contain no username and password";

/** An address without user and password; what it leads to is checked when it is used. */
export function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return /^https?:$/u.test(protocol) && username === "" && password === "";
}

export const webAddress = () => line(2_000).refine(isWebAddress, NO_WEB_ADDRESS);

/** Allowed in a header: visible ASCII, as in tokens. */
export const headerValue = () =>
  z
    .string()
    .min(1)
    .max(2_000)
    .regex(/^[\u0020-\u007e]+$/u, "must be printable ASCII characters")
    .trim();

/** "" takes a secret away. */
export const emptyText = () => z.literal("");

export const token = () => headerValue().max(500).regex(/^\S+$/u, "must not contain spaces");

export const phoneNumber = () =>
  z
    .string()
    .trim()
    .regex(/^\+[0-9]{5,20}$/u, "must be a phone number such as +491701234567");
