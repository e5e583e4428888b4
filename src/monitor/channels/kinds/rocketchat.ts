/** Rocket.Chat, through an incoming integration. */
import { webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { escapeMarkdown, postJson, toWhole } from "./messages.ts";

const secrets = () => ({ webhookUrl: webAddress().optional() });

export const rocketchat: ChannelKind<Record<never, never>, ReturnType<typeof secrets>> = {
  settings: () => ({}),
  secrets,
  needed: ["webhookUrl"],
  // https://docs.rocket.chat/docs/integrations: "@all" in a message notifies everyone.
  request: (_settings, { secrets: { webhookUrl = "" }, notice }) =>
    postJson(webhookUrl, {
      text: toWhole(notice, (part) => escapeMarkdown(part).replaceAll("@", "@\u200b")),
      parseUrls: false,
    }),
};

export const rocketchatFields: ChannelFields<Record<never, never>, ReturnType<typeof secrets>> = {
  webhookUrl: {},
};

export const rocketchatForm: ChannelForm = {
  title: "channel.rocketchat.title",
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
