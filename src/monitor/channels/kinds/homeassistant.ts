/** Home Assistant, through one of its notify actions. */
import { z } from "zod";
import { token, webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toMessage, toPath } from "./messages.ts";

const settings = () => ({
  serverUrl: webAddress(),
  action: z
    .string()
    .regex(/^[a-z0-9_]{1,100}$/u, "must be the name of a notify action, such as mobile_app_phone")
    .default("notify"),
});
const secrets = () => ({ token: token().optional() });

export const homeassistant: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["token"],
  server: ({ serverUrl }) => serverUrl,
  // https://developers.home-assistant.io/docs/api/rest/
  request: ({ serverUrl, action }, { secrets: { token: bearer = "" }, notice }) => {
    const { title, url } = notice;
    const body = {
      title,
      message: toMessage(notice),
      ...(url !== undefined && { data: { url, clickAction: url } }),
    };
    return postJson(toPath(serverUrl, `/api/services/notify/${action}`), body, {
      authorization: `Bearer ${bearer}`,
    });
  },
};

export const homeassistantFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  serverUrl: { placeholder: "http://homeassistant.local:8123" },
  action: { placeholder: "mobile_app_phone" },
  token: {},
};

export const homeassistantForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.homeassistant.title",
  destination: ({ serverUrl, action }) => `${serverUrl.replace(/\/$/u, "")} (${action})`,
};
