/** Microsoft Teams, through a webhook of Workflows, as an Adaptive Card. */
import { webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toUrgency } from "./messages.ts";

const secrets = () => ({ webhookUrl: webAddress().optional() });
const colours = { info: "Accent", warning: "Warning", critical: "Attention" } as const;

/** Adaptive Cards read a little Markdown in TextBlock. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_[\]`#~]/gu, "\\$&");
}

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

export const teamsForm: ChannelForm = {
  title: { en: "Microsoft Teams", zh: "Microsoft Teams", de: "Microsoft Teams" },
  fields: [
    {
      name: "webhookUrl",
      input: "secret",
      label: { en: "Webhook address", zh: "Webhook 网址", de: "Webhook-Adresse" },
      hint: {
        en: "Channel → ⋯ → Workflows → “Send webhook alerts to a channel”.",
        zh: "频道 → ⋯ → 工作流 → “向频道发送 Webhook 警报”。",
        de: "Kanal → ⋯ → Workflows → „Send webhook alerts to a channel“.",
      },
    },
  ],
  destination: (_settings, { webhookUrl = "" }) => webhookUrl,
};
