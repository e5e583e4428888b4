/** ntfy, on ntfy.sh or a server of one's own. */
import { z } from "zod";
import { token, webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelField, ChannelForm, ChannelKind } from "./kind.ts";
import { clipBytes, postJson, toMessage, toUrgency } from "./messages.ts";

/** https://docs.ntfy.sh/publish/: longer messages become attachments, which many servers refuse. */
const MAX_BYTES = 4_000;
const PUBLIC_SERVER = "https://ntfy.sh";

const priority = () => z.number().int().min(1).max(5);

const settings = () => ({
  serverUrl: webAddress().default(PUBLIC_SERVER),
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/u, "must be 1 to 64 letters, digits, - or _"),
  /** ntfy's priorities, 1 (silent) to 5 (urgent); what is resolved has that of "info". */
  priorities: z
    .strictObject({
      info: priority().default(3),
      warning: priority().default(4),
      critical: priority().default(5),
    })
    .prefault({}),
});
const secrets = () => ({ token: z.union([token(), z.literal("")]).optional() });

export const ntfy: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: [],
  server: ({ serverUrl }) => serverUrl,
  request: ({ serverUrl, topic, priorities }, { secrets: { token: bearer }, notice }) => {
    const body = {
      topic,
      title: notice.title,
      message: clipBytes(toMessage(notice), MAX_BYTES),
      priority: priorities[toUrgency(notice)],
      click: notice.url,
    };
    // JSON is published at the root; at the topic's path it would be taken for the message itself.
    const url = new URL("/", serverUrl).href;
    return postJson(url, body, bearer === undefined ? {} : { authorization: `Bearer ${bearer}` });
  },
};

function priorityField(severity: string, initial: number, label: ChannelField["label"]): ChannelField {
  return { name: `priorities.${severity}`, input: "choice", initial, choices: [1, 2, 3, 4, 5], label };
}

export const ntfyForm: ChannelForm<ReturnType<typeof settings>> = {
  title: { en: "ntfy", zh: "ntfy", de: "ntfy" },
  fields: [
    {
      name: "serverUrl",
      input: "text",
      initial: PUBLIC_SERVER,
      label: { en: "Server address", zh: "服务器地址", de: "Serveradresse" },
    },
    {
      name: "topic",
      input: "text",
      label: { en: "Topic", zh: "主题", de: "Thema" },
      hint: {
        en: "Whoever knows it can read along: choose one that nobody guesses.",
        zh: "知道主题名的人都能收到消息：请使用不易猜到的名字。",
        de: "Wer es kennt, kann mitlesen: Wählen Sie eines, das niemand errät.",
      },
    },
    {
      name: "token",
      input: "secret",
      optional: true,
      label: { en: "Token", zh: "令牌", de: "Token" },
      hint: {
        en: "Only for topics that need one.",
        zh: "仅在主题需要认证时填写。",
        de: "Nur für Themen, die eines brauchen.",
      },
    },
    priorityField("info", 3, {
      en: "Priority of information",
      zh: "“提示”的优先级",
      de: "Priorität von Hinweisen",
    }),
    priorityField("warning", 4, {
      en: "Priority of warnings",
      zh: "“警告”的优先级",
      de: "Priorität von Warnungen",
    }),
    priorityField("critical", 5, {
      en: "Priority of critical alerts",
      zh: "“严重”的优先级",
      de: "Priorität kritischer Alarme",
    }),
  ],
  destination: ({ serverUrl, topic }) => `${serverUrl.replace(/\/$/u, "")}/${topic}`,
};
