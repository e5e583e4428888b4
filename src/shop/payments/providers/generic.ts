/** Any service that sends the shop's own JSON: with the provider's secret in a header, or signed as Standard Webhooks. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { isSameText } from "../../../kit/secrets/same-text.ts";
import { readNotice } from "../notice-input.ts";
import { WrongProof } from "../notice-proof.ts";
import { findSecretProblem, isWebhookSignature } from "../../../kit/secrets/webhook-signature.ts";
import {
  type NoticeReading,
  type NoticeRequest,
  type ProviderKind,
  type ProviderSetup,
  secretField,
} from "./provider.ts";

/** How far a signed notice's time may be from ours (Standard Webhooks proposes five minutes). */
const TOLERANCE_MS = 300_000;
const MAX_EVENT_ID = 200;
const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/iu;

const options = {
  /** With no secret set: refuse notices (true), or take them unverified. */
  requireWebhookSecret: z.boolean().default(true),
};
type Setup = ProviderSetup<typeof options>;

function refuse(message: string): never {
  throw new AppError("unauthenticated", message);
}

/** The bytes as they came must be JSON: other forms are refused before anything is looked up. */
function parse({ method, headers, body, json }: NoticeRequest): unknown {
  if (method !== "POST")
    throw new AppError("method_not_allowed", "Payment notifications of this provider must use POST", {
      details: { allow: ["POST"] },
    });
  if (!JSON_TYPE.test(headers.get("content-type") ?? ""))
    throw new AppError(
      "unsupported_media_type",
      "The Content-Type of the payment notification must be application/json",
    );
  if (json !== undefined) return json;
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new AppError("bad_request", "Malformed JSON in request body", { cause });
  }
}

function checkSignature(
  { headers, body }: NoticeRequest,
  { secret, header, nowMs }: { secret: string; header: string; nowMs: number },
): void {
  const id = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  if (!/^\d{1,12}$/u.test(timestamp) || id === "")
    refuse(
      "Signed payment notifications require the headers webhook-id and webhook-timestamp (Unix time in seconds)",
    );
  if (!isWebhookSignature(header, secret, { id, timestamp, body }))
    throw new WrongProof("webhook-signature does not match this body and the secret of the provider");
  if (Math.abs(nowMs - Number(timestamp) * 1_000) > TOLERANCE_MS)
    refuse(
      "webhook-timestamp differs from the shop's clock by more than five minutes. Synchronize the clocks",
    );
}

/** How a notice was proved. */
function prove(
  { options: { requireWebhookSecret }, credentials: { secret = "" } }: Setup,
  request: NoticeRequest,
  nowMs: number,
): NoticeReading["verified"] {
  if (secret === "") {
    if (!requireWebhookSecret) return "none";
    refuse(
      "The secret of this provider is not set. Set it in /api/admin/site, or disable requireWebhookSecret",
    );
  }
  const { headers } = request;
  const header = headers.get("webhook-signature");
  if (header !== null) {
    checkSignature(request, { secret, header, nowMs });
    return "signature";
  }
  const sent = headers.get("x-webhook-secret");
  if (sent === null)
    return refuse(
      "The payment notification is not authenticated. Send the provider secret as X-Webhook-Secret, or a signature (webhook-id, webhook-timestamp, webhook-signature)",
    );
  if (!isSameText(sent, secret)) throw new WrongProof("The X-Webhook-Secret is wrong");
  return "secret";
}

/** Secrets are sent in a header. */
const secretSchema = z
  .string()
  .max(500)
  .regex(/^[\u0020-\u007e]*$/u, "must be printable ASCII characters, because it is sent in a header")
  .superRefine((secret, context) => {
    const problem = findSecretProblem(secret);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });

export const generic: ProviderKind<typeof options> = {
  title: "Any service that sends notifications in the shop's format",
  documentation: "https://www.standardwebhooks.com",
  options,
  credentials: { secret: { schema: secretSchema, needed: false } },
  fields: [secretField("secret")],
  origins: () => [],
  read: (setup, request, { now }): Promise<NoticeReading> =>
    Promise.resolve().then(() => {
      const json = parse(request);
      const verified = prove(setup, request, now());
      const { eventId: named, providerRef: reference, claimedOrderId: orderId, ...notice } = readNotice(json);
      const webhookId = request.headers.get("webhook-id") ?? "";
      const eventId = webhookId === "" ? (named ?? `${notice.type}:${reference}`) : webhookId;
      return {
        notices: [{ eventId: eventId.slice(0, MAX_EVENT_ID), reference, orderId, ...notice }],
        verified,
      };
    }),
};
