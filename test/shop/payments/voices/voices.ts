/** The voices of every kind of payment service. */
import type { ProviderKindName } from "../../../../src/shop/payments/providers/kinds.ts";
import type { GatewayOptions } from "../gateways/gateway.ts";
import { createBepusdtVoice, createTokenpayVoice } from "./coin-voices.ts";
import { createEpayVoice } from "./epay-voice.ts";
import { createDemoVoice, createGenericVoice, createManualVoice } from "./own-voices.ts";
import { createPaypalVoice } from "./paypal-voice.ts";
import { createStripeVoice } from "./stripe-voice.ts";
import type { Voice } from "./voice.ts";
import { createAlipayVoice, createWechatVoice } from "./wallet-voices.ts";

/** A kind without its voice does not compile. */
export const voices: Readonly<Record<ProviderKindName, (options: GatewayOptions) => Voice>> = {
  stripe: createStripeVoice,
  paypal: createPaypalVoice,
  alipay: createAlipayVoice,
  wechat: createWechatVoice,
  epay: createEpayVoice,
  bepusdt: createBepusdtVoice,
  tokenpay: createTokenpayVoice,
  generic: createGenericVoice,
  manual: createManualVoice,
  demo: createDemoVoice,
};
