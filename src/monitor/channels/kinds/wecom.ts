/** WeCom (WeChat Work), through a robot of a group. */
import { webAddress } from "../receivers/receiver-schemas.ts";
import { findCodeFault } from "../receivers/answers.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { clipBytes, postJson, toWhole } from "./messages.ts";

/** https://developer.work.weixin.qq.com/document/path/91770 */
const MAX_BYTES = 2_048;

const secrets = () => ({ webhookUrl: webAddress().optional() });

export const wecom: ChannelKind<Record<never, never>, ReturnType<typeof secrets>> = {
  settings: () => ({}),
  secrets,
  needed: ["webhookUrl"],
  request: (_settings, { secrets: { webhookUrl = "" }, notice }) =>
    postJson(webhookUrl, { msgtype: "text", text: { content: clipBytes(toWhole(notice), MAX_BYTES) } }),
  findFailure: (answer) => findCodeFault(answer, { member: "errcode", good: 0, texts: ["errmsg"] }),
};

export const wecomFields: ChannelFields<Record<never, never>, ReturnType<typeof secrets>> = {
  webhookUrl: {},
};

export const wecomForm: ChannelForm = {
  title: "channel.wecom.title",
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
