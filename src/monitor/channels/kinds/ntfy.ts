/** ntfy, on ntfy.sh or a server of one's own. */
import { z } from "zod";
import { token, webAddress } from "./addresses.ts";
import type { ChannelField, ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toMessage, toUrgency } from "./messages.ts";

/** https://docs.ntfy.sh/publish/: longer messages become attachments, which many servers refuse. */
const MAX_BYTES = 4_000;
const PUBLIC_SERVER = "https://ntfy.sh";
const tags = { info: "information_source", warning: "warning", critical: "rotating_light" } as const;

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
      tags: [notice.kind === "resolved" ? "white_check_mark" : tags[notice.severity]],
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
  title: { en: "ntfy", zh: "ntfy" },
  fields: [
    {
      name: "serverUrl",
      input: "text",
      initial: PUBLIC_SERVER,
      label: { en: "Server address", zh: "服务器地址" },
    },
    {
      name: "topic",
      input: "text",
      label: { en: "Topic", zh: "主题" },
      hint: {
        en: "Whoever knows it can read along: choose one that nobody guesses.",
        zh: "知道主题名的人都能收到消息：请使用不易猜到的名字。",
      },
    },
    {
      name: "token",
      input: "secret",
      optional: true,
      label: { en: "Token", zh: "令牌" },
      hint: { en: "Only for topics that need one.", zh: "仅在主题需要认证时填写。" },
    },
    priorityField("info", 3, { en: "Priority of information", zh: "“提示”的优先级" }),
    priorityField("warning", 4, { en: "Priority of warnings", zh: "“警告”的优先级" }),
    priorityField("critical", 5, { en: "Priority of critical", zh: "“严重”的优先级" }),
  ],
  destination: ({ serverUrl, topic }) => `${serverUrl.replace(/\/$/u, "")}/${topic}`,
};
