/** LINE, through the Messaging API. */
import { z } from "zod";
import { token } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { clip, postJson, toWhole } from "./messages.ts";

/** https://developers.line.biz/en/reference/messaging-api/#text-message, characters. */
const MAX_TEXT = 5_000;

const settings = () => ({
  to: z
    .string()
    .trim()
    .regex(/^[UCR][0-9a-f]{32}$/u, "must be the ID of a user, group or room: U, C or R and 32 hex digits"),
});
const secrets = () => ({ accessToken: token().optional() });

export const line: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["accessToken"],
  request: ({ to }, { secrets: { accessToken = "" }, notice }) =>
    postJson(
      "https://api.line.me/v2/bot/message/push",
      { to, messages: [{ type: "text", text: clip(toWhole(notice), MAX_TEXT) }] },
      { authorization: `Bearer ${accessToken}` },
    ),
};

export const lineFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  to: {},
  accessToken: {},
};

export const lineForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.line.title",
  destination: ({ to }) => to,
};
