/**
 * VIES, the European Commission's register of VAT IDs (REST API, POST /check-vat-number). Its countries answer through
 * it, and each may be away or busy: only a plain yes or no counts, every other answer is none.
 */
import { z } from "zod";
import type { Outbound } from "../../kit/outbound/outbound.ts";
import { toStorableText } from "../../kit/text/foreign-text.ts";
import { toCompactVatId } from "./vat-id.ts";

const VIES = "https://ec.europa.eu/taxation_customs/vies/rest-api/check-vat-number";
const MAX_TEXT = 500;

/** The answer about a VAT ID. */
export type ViesAnswer =
  | {
      readonly state: "valid";
      /** The consultation number, which proves the check; only for sellers that gave their own VAT ID. */
      readonly consultation?: string | undefined;
      readonly name?: string | undefined;
      readonly address?: string | undefined;
    }
  | { readonly state: "invalid" }
  /** No verdict: VIES or the country behind it does not answer. */
  | { readonly state: "away"; readonly reason: string };

/** Both forms that the service answers in. */
const answerSchema = z.object({
  valid: z.boolean().optional(),
  isValid: z.boolean().optional(),
  userError: z.string().optional(),
  requestIdentifier: z.string().nullish(),
  name: z.string().nullish(),
  address: z.string().nullish(),
  errorWrappers: z.array(z.object({ error: z.string() })).optional(),
});

/** Words of a country that tells its names; "---" is the service's word for "not told". */
function toWords(text: string | null | undefined): string | undefined {
  const words = toStorableText(text ?? "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .slice(0, MAX_TEXT);
  return words === "" || words === "---" ? undefined : words;
}

function readAnswer(text: string): ViesAnswer {
  const away = (reason: string): ViesAnswer => ({ state: "away", reason });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return away("The response of VIES is not JSON");
  }
  const parsed = answerSchema.safeParse(json);
  if (!parsed.success) return away("The response of VIES has an unknown form");
  const { valid, isValid, userError = "", requestIdentifier, name, address, errorWrappers } = parsed.data;
  const [fault] = errorWrappers ?? [];
  if (fault !== undefined) return away(fault.error.slice(0, MAX_TEXT));
  if (!["", "VALID", "INVALID"].includes(userError)) return away(userError.slice(0, MAX_TEXT));
  const verdict = valid ?? isValid;
  if (verdict === undefined) return away("VIES gave no verdict");
  if (!verdict) return { state: "invalid" };
  return {
    state: "valid",
    consultation: toWords(requestIdentifier),
    name: toWords(name),
    address: toWords(address),
  };
}

/**
 * Asks whether a VAT ID is registered. Never rejects; takes as long as `send` does.
 * @param vatId compact, with its country's letters, as `readVatId` gives it
 * @param requester the seller's own VAT ID, for a consultation number; "" for none
 */
export async function askVies(
  { send }: Pick<Outbound, "send">,
  { vatId, requester }: { readonly vatId: string; readonly requester: string },
): Promise<ViesAnswer> {
  const own = toCompactVatId(requester);
  const body = {
    countryCode: vatId.slice(0, 2),
    vatNumber: vatId.slice(2),
    ...(own === "" ? {} : { requesterMemberStateCode: own.slice(0, 2), requesterNumber: own.slice(2) }),
  };
  const outcome = await send({
    method: "POST",
    url: VIES,
    contentType: "application/json",
    headers: { accept: "application/json" },
    body: JSON.stringify(body),
    followRedirects: false,
  });
  if (outcome.kind !== "answered") return { state: "away", reason: outcome.reason };
  const { status, text } = outcome;
  // Refusals have the service's own words, whatever their status.
  const answer = readAnswer(text);
  if (status < 200 || status > 299)
    return { state: "away", reason: answer.state === "away" ? answer.reason : `VIES answered ${status}` };
  return answer;
}
