/** What adapters of services that answer in JSON share: their addresses, their answers, and faults in plain words. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { parseStrictJson } from "../../../kit/text/strict-json.ts";
import { parseDecimal } from "../../money.ts";
import {
  type FaultPart,
  type NoticeAnswer,
  type NoticeRequest,
  type ProviderTools,
  type ServiceRequest,
  ProviderFault,
} from "./provider.ts";

/** The address of a service that somebody runs: http or https, with or without a path. */
export const serviceAddressSchema = z
  .url({ protocol: /^https?$/u, error: "must be an address that begins with https:// or http://" })
  .max(500)
  .refine((text) => {
    const { username, password, search, hash } = new URL(text);
    return username + password + search + hash === "";
  }, "must be without a user, a query and a fragment");

/** A path below a service's address. */
export function toAddress(base: string, path: string): string {
  return `${base.replace(/\/$/u, "")}/${path}`;
}

/** An answer of plain text, such as "success". */
export function plainAnswer(body: string): NoticeAnswer {
  return { status: 200, contentType: "text/plain; charset=utf-8", body };
}

/** A text of a service without the secrets that it may repeat. */
export function hideSecrets(text: string, credentials: Readonly<Record<string, string>>): string {
  const secrets = Object.values(credentials).filter((secret) => secret.length > 3);
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
}

/** An address as a browser may open it. @throws ProviderFault */
export function checkPayAddress(text: string): string {
  if (/^https?:\/\//iu.test(text) && URL.canParse(text)) return text;
  throw new ProviderFault("refused", "The service answered without an address to pay at", { said: text });
}

const objectSchema = z.record(z.string(), z.unknown());
/** A JSON object whose members nobody has looked at yet. */
export type JsonObject = z.infer<typeof objectSchema>;

/** A JSON object; undefined for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return objectSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The JSON of a notice, which comes by POST. @throws AppError `bad_request` when it is none */
export function readJson({ body }: Pick<NoticeRequest, "body">): unknown {
  return parseStrictJson(new TextEncoder().encode(body));
}

/** A member as text, whether the service writes it as text or as a number; "" for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** A member that is an object; an empty one for anything else. */
export function objectOf(value: unknown): JsonObject {
  return objectSchema.safeParse(value).data ?? {};
}

/**
 * Sends a request and reads the JSON object that comes back, of whatever status.
 * @throws ProviderFault also when no JSON comes back: "unclear" with `isOnce`, since it may have been done
 */
export async function askForJson(
  tools: ProviderTools,
  request: ServiceRequest,
  { credentials, isOnce = false }: { credentials: Readonly<Record<string, string>>; isOnce?: boolean },
): Promise<JsonObject> {
  const { status, text } = await tools.send(request);
  const json = parseObject(text);
  const said = hideSecrets(text, credentials);
  if (status >= 500 || (json === undefined && status < 400))
    throw new ProviderFault(
      isOnce ? "unclear" : "unavailable",
      `The service answered with status ${status} and ${json === undefined ? "no JSON" : "an error of its own"}`,
      { said, ...(json === undefined && status < 500 ? { part: "url" as const } : {}) },
    );
  if (json === undefined)
    throw new ProviderFault("refused", `The service answered with status ${status}`, { said, part: "url" });
  return json;
}

/** A refusal in the service's words, with the part of the settings that the words name. */
export function toRefusal(
  said: string,
  parts: readonly (readonly [words: RegExp, part: FaultPart])[],
): ProviderFault {
  const part = parts.find(([words]) => words.test(said))?.[1];
  return new ProviderFault("refused", `The service refused: ${said.slice(0, 200)}`, {
    said,
    ...(part === undefined ? {} : { part }),
  });
}

/** The amount of a notice. @throws AppError `invalid` for anything but a plain decimal number of that currency */
export function readAmount(
  text: string,
  { currency, pointer }: { currency: string; pointer: string },
): number {
  const amount = parseDecimal(text, currency);
  if (amount === undefined)
    throw new AppError("invalid", `The amount is no number of ${currency} that can be booked exactly`, {
      errors: [{ pointer, code: "invalid", message: "must be a plain decimal number of that currency" }],
    });
  return amount;
}

/** The amount of an answer. @throws ProviderFault */
export function readAnsweredAmount(text: string, currency: string): number {
  const amount = parseDecimal(text, currency);
  if (amount === undefined)
    throw new ProviderFault("refused", `The service answered with an amount that is none in ${currency}`, {
      part: "amount",
      said: text,
    });
  return amount;
}

/** A member that a notice must have. @throws AppError `invalid` */
export function needText(value: string, pointer: string): string {
  if (value !== "" && value.length <= 200) return value;
  throw new AppError("invalid", `The notice has no ${pointer.slice(1)}`, {
    errors: [{ pointer, code: "invalid", message: "must be there, with at most 200 characters" }],
  });
}

/** Refuses another currency than the one that the settings name. @throws ProviderFault */
export function needCurrency(currency: string, taken: string): void {
  if (currency === taken) return;
  throw new ProviderFault(
    "refused",
    `The order is in ${currency}, and this provider is set to take ${taken}`,
    { part: "currency" },
  );
}
