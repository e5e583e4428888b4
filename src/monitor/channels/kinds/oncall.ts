/** Who is on call: a weekly table that passes notifications on to other channels. */
import { z } from "zod";
import { line, timeZone } from "../../../kit/text/schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const timeOfDay = () => z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u, "must be a time of day such as 08:00");
const channelId = () => line(64).trim().min(1);
const moment = () => z.iso.datetime({ offset: true });

const settings = () => ({
  /** Of the times of day. */
  timeZone: timeZone.default("UTC"),
  shifts: z
    .array(
      z.strictObject({
        days: z.array(z.enum(weekdays)).min(1).max(7),
        from: timeOfDay(),
        /** If it is not after `from`, it is on the next day. */
        to: timeOfDay(),
        channelId: channelId(),
      }),
    )
    .max(50)
    .default([]),
  /** In place of the shifts; of two at the same time the later one counts. */
  overrides: z
    .array(z.strictObject({ from: moment(), to: moment(), channelId: channelId() }))
    .max(50)
    .default([]),
  /** Notified while no one is on call. */
  fallbackChannelId: channelId(),
});

export const oncall: ChannelKind<ReturnType<typeof settings>, Record<never, never>> = {
  settings,
  secrets: () => ({}),
  needed: [],
  findFault: ({ overrides }) => {
    const at = overrides.findIndex(({ from, to }) => Date.parse(from) >= Date.parse(to));
    if (at < 0) return undefined;
    return { pointer: `/overrides/${at}/to`, message: "must be after the start" };
  },
};

const channel = { kind: "channel" } as const;

export const oncallFields: ChannelFields<ReturnType<typeof settings>, Record<never, never>> = {
  timeZone: { kind: "zone" },
  shifts: {
    fields: {
      days: {},
      from: { initial: "08:00", placeholder: "08:00" },
      to: { initial: "20:00", placeholder: "20:00" },
      channelId: channel,
    },
  },
  overrides: { fields: { from: {}, to: {}, channelId: channel } },
  fallbackChannelId: channel,
};

export const oncallForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.oncall.title",
  destination: ({ shifts, timeZone: zone }) =>
    `${shifts.map(({ from, to }) => `${from}–${to}`).join(", ")} (${zone})`,
};
