/** @jsxImportSource hono/jsx */
/** Incidents and maintenance: the course of one, and lists of them. */
import { toIsoTime } from "../../../kit/text/iso-time.ts";
import type { PostRecord } from "../../status/schema.ts";
import { type Shown, toContentLanguage, toLink } from "../shown/shown.ts";
import { Prose } from "./prose.tsx";
import { StepTag } from "./status-tag.tsx";

interface PostProps {
  readonly shown: Shown;
  readonly post: PostRecord;
}

/** A moment, for people and programs. */
export function Time({ shown, at }: { readonly shown: Shown; readonly at: number }) {
  return <time datetime={toIsoTime(at)}>{shown.formats.time(at)}</time>;
}

/** Names of the components that a post is about, as far as the page still has them. */
export function listAffected({ page }: Pick<Shown, "page">, { components }: PostRecord): string[] {
  return page.components.flatMap(({ id, name }) => (Object.hasOwn(components, id) ? [name] : []));
}

function Affected({ shown, post }: PostProps) {
  const names = listAffected(shown, post);
  if (names.length === 0) return <></>;
  return <p class="small muted">{shown.t("post.affects", { names: shown.formats.list(names) })}</p>;
}

export function PostTime({ shown, post }: PostProps) {
  const { t, formats, nowMs } = shown;
  const { plannedFrom, plannedTo, startedAt, endedAt, type } = post;
  if (type === "maintenance" && plannedFrom !== undefined && plannedTo !== undefined)
    return (
      <p class="small muted num">
        {t("post.window", { from: formats.time(plannedFrom), to: formats.time(plannedTo) })}
      </p>
    );
  const lasted = formats.duration((endedAt ?? nowMs) - startedAt);
  return (
    <p class="small muted num">
      {endedAt === undefined
        ? t("post.since", { time: formats.time(startedAt), duration: lasted })
        : t("post.lasted", { from: formats.time(startedAt), duration: lasted })}
    </p>
  );
}

/** Its updates, newest first. */
export function Course({ shown, post }: PostProps) {
  const { t } = shown;
  return (
    <ol class="timeline" reversed>
      {post.updates.toReversed().map(({ step, text, at }) => (
        <li>
          <p>
            <b>{t(`step.${step}`)}</b> <span class="small muted num">· {<Time shown={shown} at={at} />}</span>
          </p>
          <Prose text={text} lang={toContentLanguage(shown)} />
        </li>
      ))}
    </ol>
  );
}

/** A post with all that was said of it. */
export function Post({ shown, post }: PostProps) {
  const { t } = shown;
  return (
    <article class="post stack" aria-labelledby={post.id} data-live={`post-${post.id}`}>
      <div class="row">
        <h3 id={post.id}>
          <a href={toLink(shown, `/incidents/${post.id}`)} lang={toContentLanguage(shown)}>
            {post.title}
          </a>
        </h3>
        <span class="push">
          <StepTag post={post} t={t} />
        </span>
      </div>
      <div class="stack is-tight">
        <PostTime shown={shown} post={post} />
        <Affected shown={shown} post={post} />
      </div>
      <Course shown={shown} post={post} />
    </article>
  );
}

/** A post in a list: only its last update. `isTop`: it comes directly after the page's own heading. */
export function PostLine({ shown, post, isTop = false }: PostProps & { readonly isTop?: boolean }) {
  const { t } = shown;
  const title = (
    <a href={toLink(shown, `/incidents/${post.id}`)} lang={toContentLanguage(shown)}>
      {post.title}
    </a>
  );
  const last = post.updates.at(-1);
  return (
    <li class="post-line">
      <div class="row">
        {isTop ? <h2 class="post-title">{title}</h2> : <h3>{title}</h3>}
        <span class="push">
          <StepTag post={post} t={t} />
        </span>
      </div>
      <PostTime shown={shown} post={post} />
      {last === undefined ? <></> : <Prose text={last.text} lang={toContentLanguage(shown)} />}
    </li>
  );
}
