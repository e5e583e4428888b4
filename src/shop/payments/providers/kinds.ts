/** Every kind of payment service. */
import { alipay } from "./alipay.ts";
import { bepusdt } from "./bepusdt.ts";
import { demo } from "./demo.ts";
import { epay } from "./epay.ts";
import { generic } from "./generic.ts";
import { manual } from "./manual.ts";
import { paypal } from "./paypal.ts";
import type { ProviderKind } from "./provider.ts";
import { stripe } from "./stripe.ts";
import { tokenpay } from "./tokenpay.ts";
import { wechat } from "./wechat.ts";

/** In the order in which the console offers them. A kind is a file beside this one and a line here. */
export const providerKinds = {
  stripe,
  paypal,
  alipay,
  wechat,
  epay,
  bepusdt,
  tokenpay,
  generic,
  manual,
  demo,
};
export type ProviderKindName = keyof typeof providerKinds;

const byName: ReadonlyMap<string, ProviderKind> = new Map<string, ProviderKind>(
  Object.entries(providerKinds),
);

/** Every kind with its name. */
export function listKinds(): readonly (readonly [name: string, kind: ProviderKind])[] {
  return [...byName];
}

/** The kind of a name; undefined for one that this version does not know. */
export function findKind(name: string): ProviderKind | undefined {
  return byName.get(name);
}
