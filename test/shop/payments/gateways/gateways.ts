/** The stand-ins of payment services, for the tests that run with every one of them. A kind joins by one line. */
import { createAlipayGateway } from "./alipay.ts";
import { createBepusdtGateway } from "./bepusdt.ts";
import { createEpayGateway } from "./epay.ts";
import type { Gateway, GatewayOptions } from "./gateway.ts";
import { createPaypalGateway } from "./paypal.ts";
import { createStripeGateway } from "./stripe.ts";
import { createTokenpayGateway } from "./tokenpay.ts";
import { createWechatGateway } from "./wechat.ts";

export const gateways: Readonly<Record<string, (options: GatewayOptions) => Gateway>> = {
  stripe: createStripeGateway,
  paypal: createPaypalGateway,
  alipay: createAlipayGateway,
  wechat: createWechatGateway,
  epay: createEpayGateway,
  bepusdt: createBepusdtGateway,
  tokenpay: createTokenpayGateway,
};
