/** Mattermost, through an incoming webhook. */
import { webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { escapeMarkdown, postJson, toWhole } from "./messages.ts";

const secrets = () => ({ webhookUrl: webAddress().optional() });

export const mattermost: ChannelKind<Record<never, never>, ReturnType<typeof secrets>> = {
  settings: () => ({}),
  secrets,
  needed: ["webhookUrl"],
  // https://developers.mattermost.com/integrate/webhooks/incoming/: "@" would notify everyone in the channel.
  request: (_settings, { secrets: { webhookUrl = "" }, notice }) =>
    postJson(webhookUrl, {
      text: toWhole(notice, (part) => escapeMarkdown(part).replaceAll("@", "@\u200b")),
    }),
};

export const mattermostFields: ChannelFields<Record<never, never>, ReturnType<typeof secrets>> = {
  webhookUrl: {},
};

export const mattermostForm: ChannelForm = {
  title: "channel.mattermost.title",
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
