/** ntfy, on ntfy.sh or a server of one's own. */
import { z } from "zod";
import { token, webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
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

const oneToFive = { kind: "choice", choices: [1, 2, 3, 4, 5] } as const;

export const ntfyFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  serverUrl: {},
  topic: {},
  token: {},
  priorities: { fields: { info: oneToFive, warning: oneToFive, critical: oneToFive } },
};

export const ntfyForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.ntfy.title",
  destination: ({ serverUrl, topic }) => `${serverUrl.replace(/\/$/u, "")}/${topic}`,
};
