/** Bark, for iPhones, on api.day.app or a server of one's own. */
import { z } from "zod";
import { webAddress } from "../receivers/receiver-schemas.ts";
import { findCodeFault } from "../receivers/answers.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toMessage, toPath, toUrgency } from "./messages.ts";

const PUBLIC_SERVER = "https://api.day.app";
/** "critical" rings also where the phone is silent. */
const levels = { info: "active", warning: "timeSensitive", critical: "critical" } as const;

const settings = () => ({ serverUrl: webAddress().default(PUBLIC_SERVER) });
const secrets = () => ({
  deviceKey: z
    .string()
    .regex(/^[\w-]{1,100}$/u, "must be a device key, which the app shows in its URL")
    .optional(),
});

export const bark: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["deviceKey"],
  server: ({ serverUrl }) => serverUrl,
  // https://github.com/Finb/bark-server/blob/master/docs/API_V2.md
  request: ({ serverUrl }, { secrets: { deviceKey = "" }, notice }) =>
    postJson(toPath(serverUrl, "/push"), {
      device_key: deviceKey,
      title: notice.title,
      body: toMessage(notice),
      level: levels[toUrgency(notice)],
      group: "Trivet",
      url: notice.url,
    }),
  findFailure: (answer) => findCodeFault(answer, { member: "code", good: 200, texts: ["message"] }),
};

export const barkFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  deviceKey: {},
  serverUrl: {},
};

export const barkForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.bark.title",
  destination: ({ serverUrl }) => serverUrl,
};
