/** Feishu and Lark, through a custom bot of a group. */
import { emptyText, token, webAddress } from "../receivers/receiver-schemas.ts";
import { findCodeFault } from "../receivers/answers.ts";
import type { ChannelForm, ChannelKind } from "./kind.ts";
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

export const feishuForm: ChannelForm = {
  title: { en: "Feishu / Lark", zh: "飞书", de: "Feishu / Lark" },
  fields: [
    {
      name: "webhookUrl",
      input: "secret",
      label: { en: "Webhook address", zh: "Webhook 网址", de: "Webhook-Adresse" },
      hint: {
        en: "Group settings → Bots → Add bot → Custom bot.",
        zh: "群设置 → 群机器人 → 添加机器人 → 自定义机器人。",
        de: "Gruppeneinstellungen → Bots → Add bot → Custom bot.",
      },
    },
    {
      name: "signSecret",
      input: "secret",
      optional: true,
      label: { en: "Signing secret", zh: "签名密钥", de: "Signaturgeheimnis" },
      hint: {
        en: "Only where the bot verifies signatures.",
        zh: "仅在机器人启用签名校验时填写。",
        de: "Nur wenn der Bot Signaturen prüft.",
      },
    },
  ],
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
