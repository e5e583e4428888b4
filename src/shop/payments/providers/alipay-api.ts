/**
 * Requests to Alipay's gateway and its answers: https://opendocs.alipay.com/common/02kf5q (signing),
 * https://opendocs.alipay.com/common/02mse7 (checking answers and notices), https://opendocs.alipay.com/common/02km9f
 * (codes of the gateway). RSA2 is SHA256withRSA over the sorted parameters.
 */
import { z } from "zod";
import {
  findPrivateKeyProblem,
  findPublicKeyProblem,
  isRsaSignature,
  findPublicKeys,
  KeyFault,
  signRsa,
} from "../signing/rsa-keys.ts";
import { toSignedText } from "../signing/signed-fields.ts";
import {
  type JsonObject,
  hideSecrets,
  objectOf,
  parseObject,
  serviceAddressSchema,
  textOf,
} from "./answers.ts";
import {
  type FaultPart,
  type ProviderKind,
  type ProviderSetup,
  type ProviderTools,
  ProviderFault,
} from "./provider.ts";

/** Alipay writes times as in Beijing. */
const BEIJING_MS = 8 * 3_600_000;

export const alipayOptions = {
  appId: z.string().regex(/^\d{10,32}$/u, "must be the app ID (digits only)"),
  /** The seller's own id (PID). Notices and answers for another one are refused. */
  sellerId: z.string().regex(/^2088\d{12}$/u, "must be the seller ID: 16 digits that start with 2088"),
  /** page: a page of Alipay's; precreate: a QR code that the shop shows. */
  product: z.enum(["page", "precreate"]).default("page"),
  url: serviceAddressSchema.default("https://openapi.alipay.com/gateway.do"),
};
export type AlipaySetup = ProviderSetup<typeof alipayOptions>;

const keySchema = (findProblem: (text: string) => string | undefined, what: string): z.ZodType<string> =>
  z
    .string()
    .max(20_000)
    .superRefine((text, context) => {
      const problem = findProblem(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: `${what} ${problem}` });
    });

/** A private key as it is typed. */
export const privateKeySchema = keySchema(findPrivateKeyProblem, "The private key");
/** Public keys or certificates as they are typed. */
export const publicKeySchema = keySchema(findPublicKeyProblem, "The public key");

export const alipayCredentials: ProviderKind["credentials"] = {
  privateKey: { schema: privateKeySchema, needed: true },
  alipayPublicKey: { schema: publicKeySchema, needed: true },
};

/** "2026-11-21 17:00:00". */
export function toBeijingTime(ms: number): string {
  return new Date(ms + BEIJING_MS).toISOString().slice(0, 19).replace("T", " ");
}

/** Epoch milliseconds of such a text; undefined for any other. */
export function parseBeijingTime(text: string): number | undefined {
  const ms = Date.parse(`${text.slice(0, 19).replace(" ", "T")}Z`);
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/u.test(text) && !Number.isNaN(ms) ? ms - BEIJING_MS : undefined;
}

/** A request to the gateway. */
export interface AlipayCall {
  /** Such as alipay.trade.query. */
  readonly method: string;
  readonly biz: JsonObject;
  readonly notifyUrl?: string;
  readonly returnUrl?: string;
}

/** A signature with the private key of the settings. @throws ProviderFault "credentials" where that is none */
export async function signOwn(credentials: Readonly<Record<string, string>>, text: string): Promise<string> {
  try {
    return await signRsa(credentials["privateKey"] ?? "", text);
  } catch (error) {
    if (!(error instanceof KeyFault)) throw error;
    throw new ProviderFault("refused", `The private key ${error.message}`, { part: "credentials" });
  }
}

export async function toAlipayParameters(
  { options: { appId }, credentials }: AlipaySetup,
  { method, biz, notifyUrl = "", returnUrl = "" }: AlipayCall,
  nowMs: number,
): Promise<Record<string, string>> {
  const parameters = {
    app_id: appId,
    method,
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    version: "1.0",
    timestamp: toBeijingTime(nowMs),
    ...(notifyUrl === "" ? {} : { notify_url: notifyUrl }),
    ...(returnUrl === "" ? {} : { return_url: returnUrl }),
    biz_content: JSON.stringify(biz),
  };
  const sign = await signOwn(credentials, toSignedText(parameters, ["sign"]));
  return { ...parameters, sign };
}

/** The text of a member that is an object, as it came: that text is signed. */
export function findNode(text: string, name: string): string | undefined {
  const key = `"${name}"`;
  const at = text.indexOf(key);
  const start = text.indexOf("{", at + key.length);
  if (at < 0 || start < 0 || text.slice(at + key.length, start).trim() !== ":") return undefined;
  return text.slice(start, findEnd(text, start));
}

/** Where an object ends that begins at `start`; the text's end when it does not. */
function findEnd(text: string, start: number): number {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isText && character === "\\") at += 1;
    else if (character === '"') isText = !isText;
    else if (!isText && character === "{") depth += 1;
    else if (!isText && character === "}") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

const parts: readonly (readonly [codes: RegExp, part: FaultPart])[] = [
  [/invalid-signature|missing-signature/u, "signature"],
  [/app-id|app_id|isv-permissions|PARTNER|SELLER/u, "merchant"],
  [/timestamp/u, "clock"],
  [/TOTAL_FEE|AMOUNT|AMT|REFUND_FEE/u, "amount"],
  [/TRADE_NOT_EXIST|TRADE_STATUS|TRADE_HAS/u, "order"],
];

/** A node that says no. Codes 20000 and SYSTEM_ERROR leave open what happened. */
export function toAlipayFault(node: JsonObject, isOnce: boolean = false): ProviderFault {
  const [code, subCode] = [textOf(node["code"]), textOf(node["sub_code"])];
  const said = `${code} ${subCode}: ${textOf(node["sub_msg"]) || textOf(node["msg"])}`;
  const part = parts.find(([codes]) => codes.test(subCode))?.[1];
  const isOpen = code === "20000" || /SYSTEM_ERROR|^isp\./u.test(subCode);
  const kind = isOpen ? (isOnce ? "unclear" : "unavailable") : "refused";
  const more = part === undefined ? { said } : { part, said };
  return new ProviderFault(kind, `Alipay rejected the request: ${said.slice(0, 200)}`, more);
}

/** Whether an answer says yes. */
export function isDone(node: JsonObject): boolean {
  return textOf(node["code"]) === "10000";
}

/** Checks the signature of a node. @throws ProviderFault "signature" */
async function checkNode(
  { credentials }: AlipaySetup,
  { node, sign }: { readonly node: string; readonly sign: string },
): Promise<void> {
  const [key] = findPublicKeys(credentials["alipayPublicKey"]);
  if (key !== undefined && (await isRsaSignature(key, { content: node, signature: sign }))) return;
  const message = "The response from Alipay is not signed with the Alipay public key in the settings";
  throw new ProviderFault("refused", message, { part: "signature" });
}

/**
 * Sends a request to the gateway; returns the node of its response with a verified signature: done (10000) or rejected
 * (40004 with a reason).
 * @throws ProviderFault for everything else; "unclear" with `isOnce`, where it may have been done
 */
export async function callAlipay(
  setup: AlipaySetup,
  tools: ProviderTools,
  call: AlipayCall & { readonly isOnce?: boolean },
): Promise<JsonObject> {
  const { isOnce = false } = call;
  const parameters = await toAlipayParameters(setup, call, tools.now());
  const { status, text } = await tools.send({
    method: "POST",
    url: `${setup.options.url}?charset=utf-8`,
    contentType: "application/x-www-form-urlencoded;charset=utf-8",
    body: new URLSearchParams(parameters).toString(),
  });
  const name = `${call.method.replaceAll(".", "_")}_response`;
  const all = parseObject(text) ?? {};
  const node = findNode(text, name);
  const sign = textOf(all["sign"]);
  if (node === undefined || sign === "") {
    const error = objectOf(all["error_response"] ?? all[name]);
    if (textOf(error["code"]) !== "" && !isDone(error)) throw toAlipayFault(error, isOnce);
    throw new ProviderFault(
      isOnce ? "unclear" : "unavailable",
      `The gateway of Alipay responded with status ${status} in an unexpected format`,
      { part: "url", said: hideSecrets(text, setup.credentials) },
    );
  }
  await checkNode(setup, { node, sign });
  const answer = parseObject(node) ?? {};
  if (isDone(answer) || textOf(answer["code"]) === "40004") return answer;
  throw toAlipayFault(answer, isOnce);
}
