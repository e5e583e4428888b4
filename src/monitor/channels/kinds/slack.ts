/** Slack, through an incoming webhook. */
import { webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
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

export const slackFields: ChannelFields<Record<never, never>, ReturnType<typeof secrets>> = {
  webhookUrl: {},
};

export const slackForm: ChannelForm = {
  title: "channel.slack.title",
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
