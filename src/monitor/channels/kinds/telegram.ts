/** Telegram, through a bot. */
import { z } from "zod";
import { webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelForm, ChannelKind } from "./kind.ts";
import { clip, postJson, toPath, toWhole } from "./messages.ts";

/** https://core.telegram.org/bots/api#sendmessage */
const MAX_CHARACTERS = 4_096;
const PUBLIC_API = "https://api.telegram.org";

const settings = () => ({
  chatId: z.string().regex(/^(?:-?\d{1,20}|@\w{4,64})$/u, "must be a number, or @ and a channel's name"),
  apiUrl: webAddress().default(PUBLIC_API),
});
const secrets = () => ({
  botToken: z
    .string()
    .regex(/^\d{1,20}:[\w-]{1,100}$/u, "must be a bot's token, such as 123456:ABC-DEF")
    .optional(),
});

export const telegram: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["botToken"],
  server: ({ apiUrl }) => apiUrl,
  request: ({ apiUrl, chatId }, { secrets: { botToken = "" }, notice }) =>
    // Without parse_mode nothing in the text is markup.
    postJson(toPath(apiUrl, `/bot${botToken}/sendMessage`), {
      chat_id: chatId,
      text: clip(toWhole(notice), MAX_CHARACTERS),
      link_preview_options: { is_disabled: true },
    }),
};

export const telegramForm: ChannelForm<ReturnType<typeof settings>> = {
  title: { en: "Telegram", zh: "Telegram", de: "Telegram" },
  fields: [
    {
      name: "botToken",
      input: "secret",
      label: { en: "Bot token", zh: "机器人令牌", de: "Bot-Token" },
      hint: {
        en: "From @BotFather, such as 123456:ABC-DEF.",
        zh: "由 @BotFather 提供，例如 123456:ABC-DEF。",
        de: "Von @BotFather, etwa 123456:ABC-DEF.",
      },
    },
    {
      name: "chatId",
      input: "text",
      label: { en: "Chat ID", zh: "聊天 ID", de: "Chat-ID" },
      hint: {
        en: "A number, or @ and the name of a public channel.",
        zh: "数字，或 @ 加公开频道名。",
        de: "Eine Zahl, oder @ und der Name eines öffentlichen Kanals.",
      },
    },
    {
      name: "apiUrl",
      input: "text",
      initial: PUBLIC_API,
      label: { en: "API address", zh: "API 地址", de: "API-Adresse" },
    },
  ],
  destination: ({ chatId }) => chatId,
};
