/** Whether a notice comes from the provider: its secret, or its signature. */
import { AppError } from "../../kit/errors.ts";
import { isSameText } from "../../kit/secrets/same-text.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { isWebhookSignature } from "./webhook-signature.ts";
import type { NoticeRecord } from "./schema.ts";
import { type Provider, DEMO_SLUG } from "../site/schema.ts";

/** How far a signed notice's time may be from ours (Standard Webhooks proposes five minutes). */
const TOLERANCE_MS = 300_000;
/** Sealed secrets of providers open for this purpose only. */
export const PROVIDER_PURPOSE = "provider";

/** What stands in the headers of a notice. */
export interface NoticeHeaders {
  /** X-Webhook-Secret. */
  readonly secret?: string | undefined;
  readonly webhookId?: string | undefined;
  /** Epoch seconds. */
  readonly webhookTimestamp?: string | undefined;
  readonly webhookSignature?: string | undefined;
}

function refuse(message: string): never {
  throw new AppError("unauthenticated", message);
}

/** A wrong secret or signature: whoever sends many of them is guessing. */
export class WrongProof extends AppError {
  constructor(message: string) {
    super("unauthenticated", message);
  }
}

function checkSignature(
  headers: NoticeHeaders,
  proof: { secret: string; body: string; nowMs: number },
): void {
  const { webhookId: id = "", webhookTimestamp: timestamp = "", webhookSignature = "" } = headers;
  if (!/^\d{1,12}$/u.test(timestamp) || id === "")
    refuse("A signed notice needs webhook-id and webhook-timestamp (seconds since 1970)");
  if (!isWebhookSignature(webhookSignature, proof.secret, { id, timestamp, body: proof.body }))
    throw new WrongProof("The webhook-signature is not that of this body with the provider's secret");
  if (Math.abs(proof.nowMs - Number(timestamp) * 1_000) > TOLERANCE_MS)
    refuse("The webhook-timestamp is more than five minutes from the shop's clock; set the clocks right");
}

/** Opened secrets by the provider's settings, which are replaced whole when they change. */
const opened = new WeakMap<Provider, string>();

/** The secret of a provider; undefined for one that has none. The demo provider's is derived, so it always has one. */
export function findSecret(box: SecretBox, provider: Provider): string | undefined {
  if (provider.word === DEMO_SLUG) return `whsec_${box.mac(DEMO_SLUG, PROVIDER_PURPOSE)}`;
  if (provider.secret === undefined || provider.secret === "") return undefined;
  const secret = opened.get(provider) ?? box.open(provider.secret, PROVIDER_PURPOSE);
  opened.set(provider, secret);
  return secret;
}

/**
 * How a notice was proved.
 * @throws AppError `unauthenticated` when it was not and a proof is needed
 */
export function proveNotice(
  box: SecretBox,
  notice: { provider: Provider; headers: NoticeHeaders; body: string; nowMs: number },
): NoticeRecord["verified"] {
  const { provider, headers, body, nowMs } = notice;
  const secret = findSecret(box, provider);
  if (secret === undefined) {
    if (!provider.requireWebhookSecret) return "none";
    refuse("This provider has no secret yet: set one in /api/admin/site, or switch requireWebhookSecret off");
  }
  if (headers.webhookSignature !== undefined) {
    checkSignature(headers, { secret, body, nowMs });
    return "signature";
  }
  if (headers.secret === undefined)
    return refuse(
      "Send the provider's secret as X-Webhook-Secret, or a signature (webhook-id, webhook-timestamp, webhook-signature)",
    );
  if (!isSameText(headers.secret, secret)) throw new WrongProof("The X-Webhook-Secret is wrong");
  return "secret";
}
