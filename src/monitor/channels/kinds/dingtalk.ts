/** DingTalk, through a robot of a group. */
import { emptyText, token, webAddress } from "../receivers/receiver-schemas.ts";
import { findCodeFault } from "../receivers/answers.ts";
import type { ChannelForm, ChannelKind } from "./kind.ts";
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

export const dingtalkForm: ChannelForm = {
  title: { en: "DingTalk", zh: "钉钉", de: "DingTalk" },
  fields: [
    {
      name: "webhookUrl",
      input: "secret",
      label: { en: "Webhook address", zh: "Webhook 网址", de: "Webhook-Adresse" },
      hint: {
        en: "Group settings → Robots → Custom, with “Signature” as its security.",
        zh: "群设置 → 机器人 → 自定义，安全设置选择“加签”。",
        de: "Gruppeneinstellungen → Robots → Custom, mit „Signature“ als Sicherheit.",
      },
    },
    {
      name: "signSecret",
      input: "secret",
      optional: true,
      label: { en: "Signing secret", zh: "加签密钥", de: "Signaturgeheimnis" },
      hint: { en: "Begins with SEC.", zh: "以 SEC 开头。", de: "Beginnt mit SEC." },
    },
  ],
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
