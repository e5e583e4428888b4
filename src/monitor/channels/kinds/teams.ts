/** Microsoft Teams, through a webhook of Workflows, as an Adaptive Card. */
import { webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { escapeMarkdown, postJson, toUrgency } from "./messages.ts";

const secrets = () => ({ webhookUrl: webAddress().optional() });
const colours = { info: "Accent", warning: "Warning", critical: "Attention" } as const;

export const teams: ChannelKind<Record<never, never>, ReturnType<typeof secrets>> = {
  settings: () => ({}),
  secrets,
  needed: ["webhookUrl"],
  // https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
  request: (_settings, { secrets: { webhookUrl = "" }, notice }) => {
    const { kind, title, text, url } = notice;
    const color = kind === "resolved" ? "Good" : colours[toUrgency(notice)];
    const lines = text === "" ? [] : text.split("\n");
    const block = { type: "TextBlock", wrap: true };
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [
        { ...block, text: escapeMarkdown(title), weight: "Bolder", size: "Medium", color },
        // Two line breaks are one in Markdown.
        ...(lines.length === 0 ? [] : [{ ...block, text: lines.map(escapeMarkdown).join("\n\n") }]),
      ],
      actions: url === undefined ? undefined : [{ type: "Action.OpenUrl", title: "Open", url }],
    };
    const contentType = "application/vnd.microsoft.card.adaptive";
    return postJson(webhookUrl, {
      type: "message",
      attachments: [{ contentType, contentUrl: null, content }],
    });
  },
};

export const teamsFields: ChannelFields<Record<never, never>, ReturnType<typeof secrets>> = {
  webhookUrl: {},
};

export const teamsForm: ChannelForm = {
  title: "channel.teams.title",
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
