/** DingTalk, through a robot of a group. */
import { emptyText, token, webAddress } from "../receivers/receiver-schemas.ts";
import { findCodeFault } from "../receivers/answers.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toWhole } from "./messages.ts";

const secrets = () => ({
  webhookUrl: webAddress().optional(),
  signSecret: token().or(emptyText()).optional(),
});

export const dingtalk: ChannelKind<Record<never, never>, ReturnType<typeof secrets>> = {
  settings: () => ({}),
  secrets,
  needed: ["webhookUrl"],
  // https://open.dingtalk.com/document/robots/custom-robot-access
  request: (_settings, { secrets: { webhookUrl = "", signSecret }, notice, now, sign }) => {
    const url = new URL(webhookUrl);
    if (signSecret !== undefined) {
      url.searchParams.set("timestamp", String(now));
      url.searchParams.set("sign", sign(`${now}\n${signSecret}`, signSecret));
    }
    return postJson(url.href, { msgtype: "text", text: { content: toWhole(notice) } });
  },
  findFailure: (answer) => findCodeFault(answer, { member: "errcode", good: 0, texts: ["errmsg"] }),
};

export const dingtalkFields: ChannelFields<Record<never, never>, ReturnType<typeof secrets>> = {
  webhookUrl: {},
  signSecret: {},
};

export const dingtalkForm: ChannelForm = {
  title: "channel.dingtalk.title",
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
