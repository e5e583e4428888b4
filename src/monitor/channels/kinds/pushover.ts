/** Pushover. */
import { z } from "zod";
import { webAddress } from "../receivers/receiver-schemas.ts";
import { findCodeFault } from "../receivers/answers.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { clip, postJson, toMessage, toPath, toUrgency } from "./messages.ts";

/** https://pushover.net/api#limits */
const MAX_TITLE = 250;
const MAX_MESSAGE = 1_024;
const MAX_URL = 512;
const PUBLIC_API = "https://api.pushover.net";
/** Emergencies repeat every minute for an hour, until someone confirms one. */
const EMERGENCY = { priority: 2, retry: 60, expire: 3_600 } as const;
const priorities = { info: -1, warning: 0, critical: 1 } as const;

const key = () => z.string().regex(/^[A-Za-z0-9]{30}$/u, "must be 30 letters and digits");
const settings = () => ({
  apiUrl: webAddress().default(PUBLIC_API),
  critical: z
    .enum(["high", "emergency"])
    .default("high")
    .describe("Priority of critical alerts. Emergency repeats until confirmed"),
});
const secrets = () => ({ token: key().optional(), user: key().optional() });

export const pushover: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["token", "user"],
  server: ({ apiUrl }) => apiUrl,
  request: ({ apiUrl, critical }, { secrets: { token = "", user = "" }, notice }) => {
    const { title, url } = notice;
    const urgency = toUrgency(notice);
    const priority =
      urgency === "critical" && critical === "emergency" ? EMERGENCY : { priority: priorities[urgency] };
    return postJson(toPath(apiUrl, "/1/messages.json"), {
      token,
      user,
      title: clip(title, MAX_TITLE),
      message: clip(toMessage(notice), MAX_MESSAGE),
      url: url === undefined || url.length > MAX_URL ? undefined : url,
      ...priority,
    });
  },
  findFailure: (answer) => findCodeFault(answer, { member: "status", good: 1, texts: ["errors"] }),
};

export const pushoverFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  token: {},
  user: {},
  critical: {},
  apiUrl: {},
};

export const pushoverForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.pushover.title",
  destination: (_settings, { user = "" }) => user,
};
