/**
 * Shared by adapters: URLs and responses of providers, amounts in their formats, errors in plain words, and wrong
 * clocks.
 */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { parseForeignJson } from "../../../kit/text/foreign-text.ts";
import { parseStrictJson } from "../../../kit/text/strict-json.ts";
import { exponentOf, parseDecimal } from "../../base/money.ts";
import {
  type FaultPart,
  type NoticeAnswer,
  type NoticeRequest,
  type ProviderTools,
  type ServiceAnswer,
  type ServiceRequest,
  ProviderFault,
} from "./provider.ts";

/** The URL of a self-hosted service: http or https, with or without a path. */
export const serviceAddressSchema = z
  .url({ protocol: /^https?$/u, error: "must be a URL that starts with https:// or http://" })
  .max(500)
  .refine((text) => {
    const { username, password, search, hash } = new URL(text);
    return username + password + search + hash === "";
  }, "must not contain a username, a query or a fragment");

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
  throw new ProviderFault("refused", "The response from the payment provider has no payment URL", {
    said: text,
  });
}

const objectSchema = z.record(z.string(), z.unknown());
/** A JSON object with unchecked members. */
export type JsonObject = z.infer<typeof objectSchema>;

/** A JSON object; undefined for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  return objectSchema.safeParse(findJson(text)).data;
}

/** The JSON of a notice, which comes by POST. @throws AppError `bad_request` when it is none */
export function readJson({ body, json }: Pick<NoticeRequest, "body" | "json">): unknown {
  return json ?? parseStrictJson(new TextEncoder().encode(body));
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
      `The payment provider responded with status ${status} and ${json === undefined ? "no JSON" : "an error"}`,
      { said, ...(json === undefined && status < 500 ? { part: "url" as const } : {}) },
    );
  if (json === undefined)
    throw new ProviderFault("refused", `The payment provider responded with status ${status}`, {
      said,
      part: "url",
    });
  return json;
}

/** A refusal in the service's words, with the part of the settings that the words name. */
export function toRefusal(
  said: string,
  parts: readonly (readonly [words: RegExp, part: FaultPart])[],
): ProviderFault {
  const part = parts.find(([words]) => words.test(said))?.[1];
  return new ProviderFault("refused", `The payment provider rejected the request: ${said.slice(0, 200)}`, {
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
    throw new AppError("invalid", `The amount is not an exact amount in ${currency}`, {
      errors: [{ pointer, code: "invalid", message: "must be a decimal number in that currency" }],
    });
  return amount;
}

/** The amount of an answer. @throws ProviderFault */
export function readAnsweredAmount(text: string, currency: string): number {
  const amount = parseDecimal(text, currency);
  if (amount === undefined)
    throw new ProviderFault(
      "refused",
      `The response from the payment provider has an invalid amount in ${currency}`,
      {
        part: "amount",
        said: text,
      },
    );
  return amount;
}

/** A member that a notice must have. @throws AppError `invalid` */
export function needText(value: string, pointer: string): string {
  if (value !== "" && value.length <= 200) return value;
  throw new AppError("invalid", `The payment notification has no ${pointer.slice(1)}`, {
    errors: [{ pointer, code: "invalid", message: "is required and must have at most 200 characters" }],
  });
}

/** Refuses another currency than the one that the settings name. @throws ProviderFault */
export function needCurrency(currency: string, taken: string): void {
  if (currency === taken) return;
  throw new ProviderFault(
    "refused",
    `The order is in ${currency}, but this provider is configured for ${taken}`,
    { part: "currency" },
  );
}

/** The value of a JSON text; undefined for what is none. */
export function findJson(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}

/** The value of a notice's body. @throws AppError `bad_request` for what is no JSON */
export function parseNotice({ body, json = findJson(body) }: Pick<NoticeRequest, "body" | "json">): unknown {
  if (json === undefined) throw new AppError("bad_request", "Malformed JSON in request body");
  return json;
}

/**
 * The error for a notification that could not be read because its provider did not respond: it should be sent again.
 */
export function toUnread(error: unknown): unknown {
  if (!(error instanceof ProviderFault)) return error;
  return new AppError(
    "unavailable",
    "The payment provider could not be reached to verify this notification",
    {
      cause: error,
      retryAfterSeconds: 60,
    },
  );
}

/** Runs what a notice needs to ask its service. @throws AppError `unavailable` */
export async function askForNotice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw toUnread(error);
  }
}

/** Our minor units in units of `digits` decimals; undefined where that is no whole number. */
export function toDigits(amount: number, currency: string, digits: number): number | undefined {
  const more = digits - exponentOf(currency);
  if (more >= 0) return amount * 10 ** more;
  const size = 10 ** -more;
  return amount % size === 0 ? amount / size : undefined;
}

/** Units of `digits` decimals in our minor units; undefined where that is no whole number. */
export function fromDigits(amount: number, currency: string, digits: number): number | undefined {
  const more = exponentOf(currency) - digits;
  if (more >= 0) return amount * 10 ** more;
  const size = 10 ** -more;
  return amount % size === 0 ? amount / size : undefined;
}

/** A clock further off than this refuses right signatures. */
const CLOCK_TOLERANCE_MS = 300_000;

/** Throws `ProviderFault` "clock" when the service's Date header is more than five minutes from ours. */
export function checkClock({ headers }: ServiceAnswer, nowMs: number): void {
  const theirs = Date.parse(headers?.get("date") ?? "");
  const offSeconds = Math.round((nowMs - theirs) / 1_000);
  if (!(Math.abs(offSeconds) * 1_000 > CLOCK_TOLERANCE_MS)) return;
  const direction = offSeconds > 0 ? "ahead of" : "behind";
  throw new ProviderFault(
    "refused",
    `The shop's clock is ${Math.abs(offSeconds)} s ${direction} the clock of the payment provider, so notifications would be rejected. Synchronize the shop's clock`,
    { part: "clock", said: headers?.get("date") ?? "" },
  );
}
