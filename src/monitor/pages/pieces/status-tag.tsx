/** @jsxImportSource hono/jsx */
/** A status in a word and a colour. */
import type { ShownStatus } from "../../status/component-status.ts";
import type { PostRecord } from "../../status/schema.ts";
import type { Texts } from "../shown/texts.ts";

/** How bad something is, as colours tell it. */
export type Tone = "good" | "plan" | "warn" | "bad" | "none";

const tones: Readonly<Record<ShownStatus, Tone>> = {
  operational: "good",
  under_maintenance: "plan",
  degraded_performance: "warn",
  partial_outage: "warn",
  major_outage: "bad",
  unknown: "none",
};

export function toTone(status: ShownStatus): Tone {
  return tones[status];
}

export function StatusTag({ status, t }: { readonly status: ShownStatus; readonly t: Texts }) {
  return <span class={`tag is-${tones[status]}`}>{t(`status.${status}`)}</span>;
}

/** How far a post has come. */
export function StepTag({ post, t }: { readonly post: PostRecord; readonly t: Texts }) {
  const { state, type, impact, step } = post;
  const tone =
    state === "ended" ? "good" : type === "maintenance" ? "plan" : impact === "critical" ? "bad" : "warn";
  return <span class={`tag is-${tone}`}>{t(`step.${step}`)}</span>;
}
