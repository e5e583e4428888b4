/** Pushover. */
import { z } from "zod";
import { webAddress } from "../receivers/receiver-schemas.ts";
import { findCodeFault } from "../receivers/answers.ts";
import type { ChannelForm, ChannelKind } from "./kind.ts";
import { clip, postJson, toMessage, toPath, toUrgency } from "./messages.ts";

/** https://pushover.net/api#limits */
const MAX_TITLE = 250;
const MAX_MESSAGE = 1_024;
const MAX_URL = 512;
const PUBLIC_API = "https://api.pushover.net";
/** Emergencies repeat every minute for an hour, until somebody confirms one. */
const EMERGENCY = { priority: 2, retry: 60, expire: 3_600 } as const;
const priorities = { info: -1, warning: 0, critical: 1 } as const;

const key = () => z.string().regex(/^[A-Za-z0-9]{30}$/u, "must be 30 letters and digits");
const settings = () => ({
  apiUrl: webAddress().default(PUBLIC_API),
  critical: z
    .enum(["high", "emergency"])
    .default("high")
    .describe("Of critical alerts; an emergency repeats until it is confirmed"),
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

export const pushoverForm: ChannelForm<ReturnType<typeof settings>> = {
  title: { en: "Pushover", zh: "Pushover", de: "Pushover" },
  fields: [
    {
      name: "token",
      input: "secret",
      label: { en: "API token", zh: "API 令牌", de: "API-Token" },
      hint: {
        en: "pushover.net → Create an Application/API Token.",
        zh: "pushover.net → Create an Application/API Token。",
        de: "pushover.net → Create an Application/API Token.",
      },
    },
    {
      name: "user",
      input: "secret",
      label: { en: "User key", zh: "用户密钥", de: "Benutzerschlüssel" },
      hint: {
        en: "On the start page of pushover.net, or of a group.",
        zh: "位于 pushover.net 首页，也可以是群组密钥。",
        de: "Auf der Startseite von pushover.net, oder der einer Gruppe.",
      },
    },
    {
      name: "critical",
      input: "choice",
      initial: "high",
      choices: ["high", "emergency"],
      label: { en: "Priority of critical alerts", zh: "严重告警的优先级", de: "Priorität kritischer Alarme" },
      hint: {
        en: "An emergency repeats every minute for an hour, until somebody confirms it.",
        zh: "emergency 每分钟重复一次，持续一小时，直到有人确认。",
        de: "Ein Notfall wiederholt sich eine Stunde lang jede Minute, bis ihn jemand bestätigt.",
      },
    },
    {
      name: "apiUrl",
      input: "text",
      initial: PUBLIC_API,
      label: { en: "API address", zh: "API 地址", de: "API-Adresse" },
    },
  ],
  destination: (_settings, { user = "" }) => user,
};
