/** Telegram, through a bot. */
import { z } from "zod";
import { webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { clip, postJson, toPath, toWhole } from "./messages.ts";

/** https://core.telegram.org/bots/api#sendmessage */
const MAX_CHARACTERS = 4_096;
const PUBLIC_API = "https://api.telegram.org";

const settings = () => ({
  chatId: z
    .string()
    .regex(/^(?:-?\d{1,20}|@\w{4,64})$/u, "must be a number, or @ followed by the channel name"),
  apiUrl: webAddress().default(PUBLIC_API),
});
const secrets = () => ({
  botToken: z
    .string()
    .regex(/^\d{1,20}:[\w-]{1,100}$/u, "must be a bot token, such as 123456:ABC-DEF")
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

export const telegramFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  botToken: {},
  chatId: {},
  apiUrl: {},
};

export const telegramForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.telegram.title",
  destination: ({ chatId }) => chatId,
};
