/**
 * Requests to WeChat Pay's API v3, its answers and what it signs and seals:
 * https://pay.weixin.qq.com/doc/v3/merchant/4012365342 (signing requests), .../4013053249 (checking with a public key),
 * .../4013053420 (with a platform certificate), .../4012071382 (opening resources). While a merchant changes from
 * certificates to the public key, notices are signed with either: both are taken at once.
 */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { fromBase64 } from "../../../kit/text/base64.ts";
import { WrongProof } from "../notice-proof.ts";
import { type PublicKeyBlock, findPublicKeys, isRsaSignature } from "../signing/rsa-keys.ts";
import { privateKeySchema, publicKeySchema, signOwn } from "./alipay-api.ts";
import {
  type JsonObject,
  checkClock,
  hideSecrets,
  parseObject,
  serviceAddressSchema,
  textOf,
} from "./answers.ts";
import {
  type FaultPart,
  type ProviderKind,
  type ProviderSetup,
  type ProviderTools,
  type ServiceAnswer,
  ProviderFault,
} from "./provider.ts";

const SCHEME = "WECHATPAY2-SHA256-RSA2048";
/** Signatures with this prefix are deliberately wrong: accepting one proves missing verification. */
const TRIAL = "WECHATPAY/SIGNTEST/";
/** How far a notice's time may be from ours, as the documentation asks. */
const TOLERANCE_SECONDS = 300;
const PUBLIC_KEY_ID = /^PUB_KEY_ID_[0-9A-Za-z]{1,100}$/u;

export const wechatOptions = {
  appId: z.string().regex(/^wx[0-9a-zA-Z]{6,30}$/u, "must be an app ID such as wxd678efh567hg6787"),
  mchId: z.string().regex(/^\d{6,32}$/u, "must be the merchant number (digits only)"),
  /** Serial number of the merchant's own API certificate, whose private key signs requests. */
  serialNumber: z
    .string()
    .regex(/^[0-9A-Fa-f]{8,64}$/u, "must be the serial number of the merchant's certificate"),
  /** Id of WeChat Pay's public key; "" with platform certificates alone. */
  publicKeyId: z
    .string()
    .refine((text) => text === "" || PUBLIC_KEY_ID.test(text), "must start with PUB_KEY_ID_")
    .default(""),
  url: serviceAddressSchema.default("https://api.mch.weixin.qq.com"),
};
export type WechatSetup = ProviderSetup<typeof wechatOptions>;

export const wechatCredentials: ProviderKind["credentials"] = {
  privateKey: { schema: privateKeySchema, needed: true },
  apiV3Key: {
    schema: z.string().regex(/^[\u0021-\u007e]{32}$/u, "must have exactly 32 characters"),
    needed: true,
  },
  platformKeys: { schema: publicKeySchema, needed: true },
};

/** WeChat Pay's keys by the name under which it signs. */
export function listWechatKeys({ options, credentials }: WechatSetup): Map<string, PublicKeyBlock> {
  const keys = findPublicKeys(credentials["platformKeys"]);
  return new Map(keys.map((key) => [key.serial ?? options.publicKeyId, key]));
}

/** The signed text: each line ends, including the last one. */
function toLines(...lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

interface Signed {
  readonly headers: Headers;
  readonly body: string;
}

/** Whether a notification or a response has a valid signature; a reason if that cannot be checked. */
async function findFlaw(
  setup: WechatSetup,
  { headers, body }: Signed,
): Promise<"missing" | "wrong" | "unknown" | undefined> {
  const [serial, signature, timestamp, nonce] = ["serial", "signature", "timestamp", "nonce"].map(
    (name) => headers.get(`wechatpay-${name}`) ?? "",
  );
  if (!serial || !signature || !nonce || !/^\d{1,12}$/u.test(timestamp ?? "")) return "missing";
  const key = listWechatKeys(setup).get(serial);
  if (key === undefined) return "unknown";
  const content = toLines(timestamp ?? "", nonce, body);
  return (await isRsaSignature(key, { content, signature })) ? undefined : "wrong";
}

/** The name of a key, as far as it can be shown. */
function nameKey(headers: Headers): string {
  return (headers.get("wechatpay-serial") ?? "").replaceAll(/[^0-9A-Za-z_]/gu, "").slice(0, 80);
}

/** Proves a notice. @throws AppError `unauthenticated` that says what to set right; WrongProof for a wrong signature */
export async function proveWechat(setup: WechatSetup, notice: Signed, nowMs: number): Promise<void> {
  const { headers } = notice;
  if (headers.get("wechatpay-signature")?.startsWith(TRIAL) === true)
    throw new AppError(
      "unauthenticated",
      "This is a test by WeChat Pay whether invalid signatures are rejected",
    );
  switch (await findFlaw(setup, notice)) {
    case "missing":
      throw new AppError(
        "unauthenticated",
        "The headers Wechatpay-Serial, -Signature, -Timestamp and -Nonce are required. Proxies must forward them",
      );
    case "unknown":
      throw new AppError(
        "unauthenticated",
        `The payment notification is signed with the key "${nameKey(headers)}", which is not in the settings. Add it`,
      );
    case "wrong":
      throw new WrongProof("The signature does not match this notification and the key of WeChat Pay");
    case undefined:
  }
  const offSeconds = Math.round(nowMs / 1_000 - Number(headers.get("wechatpay-timestamp")));
  if (Math.abs(offSeconds) <= TOLERANCE_SECONDS) return;
  const direction = offSeconds > 0 ? "ahead of" : "behind";
  throw new AppError(
    "unauthenticated",
    `The shop's clock is ${Math.abs(offSeconds)} s ${direction} this notification. Notifications are rejected if the difference exceeds five minutes. Synchronize the shop's clock`,
  );
}

/**
 * The encrypted content of a notification. @throws AppError `invalid` when the APIv3 key of the settings does not open
 * it
 */
export async function openResource({ credentials }: WechatSetup, resource: JsonObject): Promise<JsonObject> {
  const encoder = new TextEncoder();
  const refuse = (why: string): AppError =>
    new AppError("invalid", `The resource of the payment notification ${why}`);
  if (textOf(resource["algorithm"]) !== "AEAD_AES_256_GCM")
    throw refuse("is not encrypted with AEAD_AES_256_GCM");
  let opened: string;
  try {
    const secret = encoder.encode(credentials["apiV3Key"]);
    const key = await crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["decrypt"]);
    const iv = encoder.encode(textOf(resource["nonce"]));
    const additionalData = encoder.encode(textOf(resource["associated_data"]));
    const sealed = fromBase64(textOf(resource["ciphertext"]));
    opened = new TextDecoder().decode(
      await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData, tagLength: 128 }, key, sealed),
    );
  } catch {
    throw refuse("cannot be decrypted with the APIv3 key in the settings");
  }
  const json = parseObject(opened);
  if (json === undefined) throw refuse("is not a JSON object");
  return json;
}

const parts: readonly (readonly [code: RegExp, part: FaultPart])[] = [
  [/^SIGN_ERROR/u, "signature"],
  [/^(?:MCH_NOT_EXISTS|APPID_MCHID_NOT_MATCH|NO_AUTH)/u, "merchant"],
  [/notify_url/u, "url"],
  [/amount|total/u, "amount"],
  [/^(?:ORDER|TRADE|RESOURCE_NOT_EXISTS|OUT_TRADE_NO)/u, "order"],
];

/** A refusal by its code. */
function toWechatFault({ status, text }: ServiceAnswer, setup: WechatSetup, isOnce: boolean): ProviderFault {
  const json = parseObject(text);
  const said = hideSecrets(
    json === undefined ? text : `${textOf(json["code"])}: ${textOf(json["message"])}`,
    setup.credentials,
  );
  const part = parts.find(([words]) => words.test(said))?.[1];
  const isOpen = status >= 500 || status === 429;
  const kind = isOpen ? (isOnce ? "unclear" : "unavailable") : "refused";
  const message = `WeChat Pay responded with status ${status}: ${said.slice(0, 200)}`;
  return new ProviderFault(kind, message, part === undefined ? { said } : { part, said });
}

async function toAuthorization(
  { options: { mchId, serialNumber }, credentials }: WechatSetup,
  request: { readonly method: string; readonly url: string; readonly body: string; readonly nowMs: number },
): Promise<string> {
  const { pathname, search } = new URL(request.url);
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const timestamp = String(Math.floor(request.nowMs / 1_000));
  const content = toLines(request.method, pathname + search, timestamp, nonce, request.body);
  const signature = await signOwn(credentials, content);
  const values = {
    mchid: mchId,
    nonce_str: nonce,
    signature,
    timestamp,
    serial_no: serialNumber.toUpperCase(),
  };
  return `${SCHEME} ${Object.entries(values)
    .map(([name, value]) => `${name}="${value}"`)
    .join(",")}`;
}

/** A request to WeChat Pay. */
export interface WechatCall {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Where a lost answer leaves open whether it was done. */
  readonly isOnce?: boolean;
  /** Refusals that are no fault, by their code: the answer is undefined. */
  readonly ignored?: RegExp;
}

/**
 * Sends a request to WeChat Pay; returns its verified response: a success without a signature counts as forged.
 * @throws ProviderFault, "clock" where the shop's own is off
 */
export async function callWechat(
  setup: WechatSetup,
  tools: ProviderTools,
  call: WechatCall,
): Promise<JsonObject | undefined> {
  const { method, path, isOnce = false } = call;
  const body = call.body === undefined ? "" : JSON.stringify(call.body);
  const url = setup.options.url.replace(/\/$/u, "") + path;
  const answer = await tools.send({
    method,
    url,
    headers: {
      accept: "application/json",
      authorization: await toAuthorization(setup, { method, url, body, nowMs: tools.now() }),
      "user-agent": "trivet",
      // Answers are signed with the key that is named here, also while a merchant changes to the public key.
      ...(setup.options.publicKeyId === "" ? {} : { "wechatpay-serial": setup.options.publicKeyId }),
    },
    ...(body === "" ? {} : { contentType: "application/json", body }),
  });
  if (answer.status < 200 || answer.status > 299) {
    if (call.ignored?.test(textOf(parseObject(answer.text)?.["code"])) === true) return undefined;
    checkClock(answer, tools.now());
    throw toWechatFault(answer, setup, isOnce);
  }
  const headers = answer.headers ?? new Headers();
  const flaw = await findFlaw(setup, { headers, body: answer.text });
  if (flaw === undefined) return parseObject(answer.text) ?? {};
  const reason = {
    missing: "is not signed",
    unknown: `is signed with the key "${nameKey(headers)}", which is not in the settings`,
    wrong: "has a wrong signature",
  }[flaw];
  throw new ProviderFault(isOnce ? "unclear" : "refused", `The response from WeChat Pay ${reason}`, {
    part: "signature",
  });
}
