/** What adapters of JSON services share: reading answers, amounts in other units, and what a clock that is off looks like. */
import { AppError } from "../../../kit/errors.ts";
import { exponentOf } from "../../money.ts";
import { type ServiceAnswer, ProviderFault } from "./provider.ts";

/** The value of a JSON text; undefined for what is none. */
export function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a notice's body. @throws AppError `bad_request` for what is no JSON */
export function parseNotice(body: string): unknown {
  const json = findJson(body);
  if (json === undefined) throw new AppError("bad_request", "Malformed JSON in request body");
  return json;
}

/** What a notice is answered that could not be read through since its service did not answer: it is to be sent again. */
export function toUnread(error: unknown): unknown {
  if (!(error instanceof ProviderFault)) return error;
  return new AppError("unavailable", "The payment service could not be asked about this notice", {
    cause: error,
    retryAfterSeconds: 60,
  });
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
    `The shop's clock is ${Math.abs(offSeconds)} s ${direction} the service's: notices would be refused; set it right`,
    { part: "clock", said: headers?.get("date") ?? "" },
  );
}
