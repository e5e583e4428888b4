/** @jsxImportSource hono/jsx */
/** A status page: overall status, current and planned posts, components, and past days. */
import { Banner } from "./pieces/banner.tsx";
import { Components } from "./pieces/components.tsx";
import { Post, PostLine } from "./pieces/posts.tsx";
import { Prose } from "./pieces/prose.tsx";
import { type Shown, toContentLanguage, toLink } from "./shown/shown.ts";
import { isUnderWay } from "../status/component-status.ts";

/** Days of which the first page tells. */
const PAST_DAYS = 14;
const DAY_MS = 86_400_000;

function Current({ shown }: { readonly shown: Shown }) {
  const current = shown.page.open.filter((post) => post.type === "incident" || isUnderWay(post));
  if (current.length === 0) return <></>;
  return (
    <section class="stack" aria-labelledby="current">
      <h2 id="current">{shown.t("post.current")}</h2>
      {current.map((post) => (
        <Post shown={shown} post={post} />
      ))}
    </section>
  );
}

function Planned({ shown }: { readonly shown: Shown }) {
  const planned = shown.page.open
    .filter((post) => post.type === "maintenance" && !isUnderWay(post))
    .toReversed();
  if (planned.length === 0) return <></>;
  return (
    <section class="stack" aria-labelledby="planned">
      <h2 id="planned">{shown.t("post.planned")}</h2>
      <ul class="post-lines">
        {planned.map((post) => (
          <PostLine shown={shown} post={post} />
        ))}
      </ul>
    </section>
  );
}

function Past({ shown }: { readonly shown: Shown }) {
  const { t, page, nowMs } = shown;
  const past = page.ended.filter(({ endedAt = 0 }) => endedAt >= nowMs - PAST_DAYS * DAY_MS);
  return (
    <section class="stack" aria-labelledby="past">
      <h2 id="past">{t("post.past", { days: PAST_DAYS })}</h2>
      {past.length === 0 ? (
        <p class="muted">{t("post.quiet", { days: PAST_DAYS })}</p>
      ) : (
        <ul class="post-lines">
          {past.map((post) => (
            <PostLine shown={shown} post={post} />
          ))}
        </ul>
      )}
      <p>
        <a href={toLink(shown, "/history")}>{t("post.all")}</a>
      </p>
    </section>
  );
}

/** The content between header and footer. */
export function Overview({ shown }: { readonly shown: Shown }) {
  const { description } = shown.page.record;
  return (
    <>
      <Banner shown={shown} />
      {description === "" ? <></> : <Prose text={description} lang={toContentLanguage(shown)} />}
      <Current shown={shown} />
      <Components shown={shown} />
      <Planned shown={shown} />
      <Past shown={shown} />
    </>
  );
}
