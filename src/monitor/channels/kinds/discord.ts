/** Discord, through a webhook. */
import { webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { clip, postJson, toWhole } from "./messages.ts";

/** https://discord.com/developers/docs/resources/webhook#execute-webhook */
const MAX_CHARACTERS = 2_000;
/** Discord's flag that shows no previews of links. */
const SUPPRESS_EMBEDS = 4;

const secrets = () => ({ webhookUrl: webAddress().optional() });

/** A trailing backslash that lost its character would escape the dots. */
function clipEscaped(text: string): string {
  return clip(text, MAX_CHARACTERS).replace(/(^|[^\\])((?:\\\\)*)\\…$/u, "$1$2…");
}

export const discord: ChannelKind<Record<never, never>, ReturnType<typeof secrets>> = {
  settings: () => ({}),
  secrets,
  needed: ["webhookUrl"],
  request: (_settings, { secrets: { webhookUrl = "" }, notice }) => {
    const url = new URL(webhookUrl);
    // Without it, Discord answers before it knows whether the message was taken.
    url.searchParams.set("wait", "true");
    const content = toWhole(notice, (part) => part.replace(/[\\*_~`|]|^[#>-]/gmu, "\\$&"));
    return postJson(url.href, {
      content: clipEscaped(content),
      allowed_mentions: { parse: [] },
      flags: SUPPRESS_EMBEDS,
    });
  },
};

export const discordFields: ChannelFields<Record<never, never>, ReturnType<typeof secrets>> = {
  webhookUrl: {},
};

export const discordForm: ChannelForm = {
  title: "channel.discord.title",
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
