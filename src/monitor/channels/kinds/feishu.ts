/** Feishu and Lark, through a custom bot of a group. */
import { emptyText, token, webAddress } from "../receivers/receiver-schemas.ts";
import { findCodeFault } from "../receivers/answers.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toWhole } from "./messages.ts";

const secrets = () => ({
  webhookUrl: webAddress().optional(),
  signSecret: token().or(emptyText()).optional(),
});

export const feishu: ChannelKind<Record<never, never>, ReturnType<typeof secrets>> = {
  settings: () => ({}),
  secrets,
  needed: ["webhookUrl"],
  // https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
  request: (_settings, { secrets: { webhookUrl = "", signSecret }, notice, now, sign }) => {
    const timestamp = String(Math.floor(now / 1_000));
    // The time and the secret are the key, and nothing is signed.
    const proof =
      signSecret === undefined ? {} : { timestamp, sign: sign("", `${timestamp}\n${signSecret}`) };
    return postJson(webhookUrl, { ...proof, msg_type: "text", content: { text: toWhole(notice) } });
  },
  findFailure: (answer) => findCodeFault(answer, { member: "code", good: 0, texts: ["msg"] }),
};

export const feishuFields: ChannelFields<Record<never, never>, ReturnType<typeof secrets>> = {
  webhookUrl: {},
  signSecret: {},
};

export const feishuForm: ChannelForm = {
  title: "channel.feishu.title",
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
