/** What each receiver wants to be sent: ntfy, Gotify, Telegram, Discord, Slack, and the free template. */
import type { OutboundRequest } from "../../kit/outbound/outbound.ts";
import type { ChannelSettings } from "./schema.ts";
import { type ChannelSecrets, type OpenChannel, toHeaders } from "./secrets.ts";
import type { Notice } from "./notification.ts";
import { renderTemplate } from "./template.ts";

/** https://docs.ntfy.sh/publish/: longer messages become attachments, which many servers refuse. */
const NTFY_BYTES = 4_000;
/** https://core.telegram.org/bots/api#sendmessage */
const TELEGRAM_CHARACTERS = 4_096;
/** https://discord.com/developers/docs/resources/webhook#execute-webhook */
const DISCORD_CHARACTERS = 2_000;
/** Discord's flag that shows no previews of links. */
const SUPPRESS_EMBEDS = 4;
const GOTIFY_PRIORITIES = { info: 4, warning: 6, critical: 8 } as const;

/** At most `limit` UTF-16 units, never half a character. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** At most `limit` bytes of UTF-8, never half a character. */
function clipBytes(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text;
  let size = byteLength("…");
  let kept = "";
  for (const character of text) {
    size += byteLength(character);
    if (size > limit) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Title, text and address as one text. */
function toWhole({ title, text, url }: Notice, escape: (part: string) => string = (part) => part): string {
  const parts = [escape(title), escape(text), url ?? ""];
  return parts.filter((part) => part !== "").join("\n\n");
}

function toPath(base: string, path: string): string {
  return `${base.replace(/(?<!\/)\/+$/u, "")}${path}`;
}

function postJson(
  url: string,
  { body, headers = {} }: { body: object; headers?: Readonly<Record<string, string>> },
): OutboundRequest {
  const contentType = "application/json";
  return { method: "POST", url, headers, contentType, body: JSON.stringify(body) };
}

interface Parcel {
  readonly secrets: ChannelSecrets;
  readonly notice: Notice;
}

type Settings<T extends ChannelSettings["type"]> = Extract<ChannelSettings, { type: T }>;

const ntfyTags = { info: "information_source", warning: "warning", critical: "rotating_light" } as const;

function toNtfy(settings: Settings<"ntfy">, { secrets, notice }: Parcel): OutboundRequest {
  const { token } = secrets;
  const isOver = notice.kind === "resolved";
  const body = {
    topic: settings.topic,
    title: notice.title,
    message: clipBytes(notice.text === "" ? notice.title : notice.text, NTFY_BYTES),
    priority: settings.priorities[isOver ? "info" : notice.severity],
    tags: [isOver ? "white_check_mark" : ntfyTags[notice.severity]],
    ...(notice.url === undefined ? {} : { click: notice.url }),
  };
  // JSON is published at the root; at the topic's path it would be taken for the message itself.
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return postJson(new URL("/", settings.serverUrl).href, { body, headers });
}

function toGotify(settings: Settings<"gotify">, { secrets, notice }: Parcel): OutboundRequest {
  const body = {
    title: notice.title,
    message: notice.text === "" ? notice.title : notice.text,
    priority: GOTIFY_PRIORITIES[notice.kind === "resolved" ? "info" : notice.severity],
    extras: {
      "client::display": { contentType: "text/plain" },
      ...(notice.url === undefined ? {} : { "client::notification": { click: { url: notice.url } } }),
    },
  };
  const headers = { "x-gotify-key": secrets["token"] ?? "" };
  return postJson(toPath(settings.serverUrl, "/message"), { body, headers });
}

function toTelegram(settings: Settings<"telegram">, { secrets, notice }: Parcel): OutboundRequest {
  // Without parse_mode nothing in the text is markup.
  const body = {
    chat_id: settings.chatId,
    text: clip(toWhole(notice), TELEGRAM_CHARACTERS),
    link_preview_options: { is_disabled: true },
  };
  return postJson(toPath(settings.apiUrl, `/bot${secrets["botToken"] ?? ""}/sendMessage`), { body });
}

/** A backslash that lost what it stood before would take the meaning from the dots. */
function clipEscaped(text: string): string {
  return clip(text, DISCORD_CHARACTERS).replace(/(^|[^\\])((?:\\\\)*)\\…$/u, "$1$2…");
}

function toDiscord({ secrets, notice }: Parcel): OutboundRequest {
  const url = new URL(secrets["webhookUrl"] ?? "");
  // Without it, Discord answers before it knows whether the message was taken.
  url.searchParams.set("wait", "true");
  const content = toWhole(notice, (part) => part.replace(/[\\*_~`|]|^[#>-]/gmu, "\\$&"));
  const body = {
    content: clipEscaped(content),
    allowed_mentions: { parse: [] },
    flags: SUPPRESS_EMBEDS,
  };
  return postJson(url.href, { body });
}

function toSlack({ secrets, notice }: Parcel): OutboundRequest {
  const escaped = toWhole(notice).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const body = { text: escaped, mrkdwn: false, unfurl_links: false, unfurl_media: false };
  return postJson(secrets["webhookUrl"] ?? "", { body });
}

function toTemplated(settings: Settings<"http">, { secrets, notice }: Parcel): OutboundRequest {
  const { method, contentType, body } = settings;
  const url = renderTemplate(secrets["url"] ?? "", notice);
  const headers = toHeaders(secrets);
  if (method === "GET") return { method, url, headers };
  return { method, url, headers, contentType, body: renderTemplate(body, notice) };
}

/** The request that tells a channel's receiver of a notice; undefined for e-mail. */
export function toRequest({ settings, secrets }: OpenChannel, notice: Notice): OutboundRequest | undefined {
  switch (settings.type) {
    case "email":
      return undefined;
    case "ntfy":
      return toNtfy(settings, { secrets, notice });
    case "gotify":
      return toGotify(settings, { secrets, notice });
    case "telegram":
      return toTelegram(settings, { secrets, notice });
    case "discord":
      return toDiscord({ secrets, notice });
    case "slack":
      return toSlack({ secrets, notice });
    case "http":
      return toTemplated(settings, { secrets, notice });
  }
}
