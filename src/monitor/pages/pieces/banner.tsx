/** @jsxImportSource hono/jsx */
/** The state of all in one sentence, before anything else. */
import { type Indicator, isUnderWay } from "../../status/component-status.ts";
import type { PostRecord } from "../../status/schema.ts";
import { type Shown, toContentLanguage } from "../shown/shown.ts";
import { StepTag, type Tone, toTone } from "./status-tag.tsx";

const tones = {
  none: "good",
  unknown: "none",
  maintenance: "plan",
  minor: "warn",
  major: "warn",
  critical: "bad",
} as const satisfies Record<Indicator, Tone>;

/** The tone of a page as a whole. */
export function toIndicatorTone(indicator: Indicator): Tone {
  return tones[indicator];
}

/** Open posts that are happening now, the newest first. */
function listHappening({ page }: Pick<Shown, "page">): PostRecord[] {
  return page.open.filter((post) => post.type === "incident" || isUnderWay(post));
}

/** The sentence, and whether an administrator wrote it. */
export function toSentence({ page, t }: Pick<Shown, "page" | "t">): { text: string; isWritten: boolean } {
  const [post, ...others] = listHappening({ page });
  if (post !== undefined && others.length === 0) return { text: post.title, isWritten: true };
  const notWell = page.components.filter(({ status }) => status !== "operational");
  const [only] = notWell;
  if (only !== undefined && notWell.length === 1 && only.status !== "operational")
    return { text: t(`overall.one.${only.status}`, { name: only.name }), isWritten: false };
  return { text: t(`overall.${page.indicator}`), isWritten: false };
}

/** What is affected, and what is not. Unknown components are neither. */
function toSecond(shown: Shown): string {
  const { page, t, formats } = shown;
  if (page.indicator === "unknown") return t("overall.unchecked");
  const affected = page.components.filter(({ status }) => toTone(status) !== "good" && status !== "unknown");
  if (affected.length === 0) return "";
  const isRestWell =
    affected.length < page.components.length && page.components.every(({ status }) => status !== "unknown");
  const names = formats.list(affected.map(({ name }) => name));
  const isSaid = affected.length > 1 || listHappening(shown).length > 0;
  return [
    ...(isSaid ? [t("overall.affected", { names })] : []),
    ...(isRestWell ? [t("overall.rest")] : []),
  ].join(" ");
}

export function Banner({ shown }: { readonly shown: Shown }) {
  const { page, t, formats, nowMs } = shown;
  const { text, isWritten } = toSentence(shown);
  const [post, ...others] = listHappening(shown);
  const worst = page.components.find(({ status }) => status === "major_outage");
  const tone = worst === undefined ? tones[page.indicator] : toTone(worst.status);
  const second = toSecond(shown);
  return (
    <section class={`card is-raised overall is-${tone}`} aria-labelledby="overall" data-live="overall">
      <div class="stack is-tight">
        <h1 id="overall" lang={isWritten ? toContentLanguage(shown) : undefined}>
          {text}
        </h1>
        {second === "" ? <></> : <p class="muted">{second}</p>}
        {post !== undefined && others.length === 0 ? (
          <p class="muted num">
            {t("post.since", {
              time: formats.time(post.startedAt, "clock"),
              duration: formats.duration(nowMs - post.startedAt),
            })}
          </p>
        ) : (
          <></>
        )}
      </div>
      {post !== undefined && others.length === 0 ? <StepTag post={post} t={t} /> : <></>}
    </section>
  );
}
