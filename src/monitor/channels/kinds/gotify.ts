/** Gotify. */
import { token, webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toMessage, toPath, toUrgency } from "./messages.ts";

const priorities = { info: 4, warning: 6, critical: 8 } as const;

const settings = () => ({ serverUrl: webAddress() });
const secrets = () => ({ token: token().optional() });

export const gotify: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["token"],
  server: ({ serverUrl }) => serverUrl,
  request: ({ serverUrl }, { secrets: given, notice }) => {
    const { title, url } = notice;
    const body = {
      title,
      message: toMessage(notice),
      priority: priorities[toUrgency(notice)],
      extras: {
        "client::display": { contentType: "text/plain" },
        "client::notification": url === undefined ? undefined : { click: { url } },
      },
    };
    return postJson(toPath(serverUrl, "/message"), body, { "x-gotify-key": given["token"] ?? "" });
  },
};

export const gotifyFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  serverUrl: {},
  token: {},
};

export const gotifyForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.gotify.title",
  destination: ({ serverUrl }) => serverUrl,
};
