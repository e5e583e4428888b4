/** Slack, through an incoming webhook. */
import { webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toWhole } from "./messages.ts";

const secrets = () => ({ webhookUrl: webAddress().optional() });

export const slack: ChannelKind<Record<never, never>, ReturnType<typeof secrets>> = {
  settings: () => ({}),
  secrets,
  needed: ["webhookUrl"],
  request: (_settings, { secrets: { webhookUrl = "" }, notice }) => {
    const text = toWhole(notice).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return postJson(webhookUrl, { text, mrkdwn: false, unfurl_links: false, unfurl_media: false });
  },
};

export const slackForm: ChannelForm = {
  title: { en: "Slack", zh: "Slack", de: "Slack" },
  fields: [
    {
      name: "webhookUrl",
      input: "secret",
      label: { en: "Webhook address", zh: "Webhook 网址", de: "Webhook-Adresse" },
      hint: {
        en: "Of an incoming webhook of your Slack app.",
        zh: "Slack 应用的 Incoming Webhook 网址。",
        de: "Eines eingehenden Webhooks Ihrer Slack-App.",
      },
    },
  ],
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
