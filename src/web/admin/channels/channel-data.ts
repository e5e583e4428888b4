/** Where channels come from, and what they are called. */
import type { ChannelType, ChannelView } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";

export const CHANNELS = "/api/admin/channels";

export interface ChannelList {
  readonly items: readonly ChannelView[];
}

/** The path of one channel. */
export function toChannelPath(id: string): string {
  return `${CHANNELS}/${encodeURIComponent(id)}`;
}

/** The name of a type of channel. */
export function toTypeName(type: ChannelType): string {
  return text(`admin.channel.type.${type}`);
}

/** Where a channel leads to, in a few words; secrets stay masked. */
export function toDestination(view: ChannelView): string {
  switch (view.type) {
    case "email":
      return view.to.join(", ");
    case "ntfy":
      return `${view.serverUrl.replace(/\/$/u, "")}/${view.topic}`;
    case "gotify":
      return view.serverUrl;
    case "telegram":
      return view.chatId;
    case "discord":
    case "slack":
      return view.secrets["webhookUrl"] ?? "";
    case "http":
      return `${view.method} ${view.secrets["url"] ?? ""}`;
  }
}
