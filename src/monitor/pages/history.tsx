/** @jsxImportSource hono/jsx */
/** Past incidents and maintenance by month, and the page of each. */
import { startOfDay } from "../../kit/time/zone-days.ts";
import type { PostRecord } from "../status/schema.ts";
import { Course, PostLine, PostTime, listAffected } from "./pieces/posts.tsx";
import { StepTag } from "./pieces/status-tag.tsx";
import { type Shown, toContentLanguage, toLink } from "./shown/shown.ts";

/** A month of the calendar, "2026-11". */
export type Month = string;

/** Whether a text is a valid month. */
export function isMonth(text: string): boolean {
  return /^20\d\d-(?:0[1-9]|1[0-2])$/u.test(text);
}

/** The month some months later; before it when negative. */
export function addMonths(month: Month, count: number): Month {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

/** From when to when a month lasts in a zone, epoch milliseconds. */
export function toMonthSpan(month: Month, timeZone: string): { from: number; to: number } {
  return {
    from: startOfDay(`${month}-01`, timeZone),
    to: startOfDay(`${addMonths(month, 1)}-01`, timeZone),
  };
}

function MonthLink({
  shown,
  month,
  text,
}: {
  shown: Shown;
  month: Month;
  text: "history.earlier" | "history.later";
}) {
  const name = shown.formats.time(Date.parse(`${month}-15T12:00:00Z`), "month");
  const address = toLink({ ...shown, query: "" }, "/history");
  const more = shown.query === "" ? "" : `&${shown.query.slice(1)}`;
  return <a href={`${address}?month=${month}${more}`}>{shown.t(text, { month: name })}</a>;
}

/** A month. `posts` is undefined where the store cannot be read. */
export function History({
  shown,
  month,
  thisMonth,
  posts,
}: {
  readonly shown: Shown;
  readonly month: Month;
  readonly thisMonth: Month;
  readonly posts: readonly PostRecord[] | undefined;
}) {
  const { t, formats } = shown;
  const name = formats.time(Date.parse(`${month}-15T12:00:00Z`), "month");
  return (
    <>
      <h1>{t("history.of", { month: name })}</h1>
      {posts === undefined ? (
        <p class="note">{t("history.unavailable")}</p>
      ) : posts.length === 0 ? (
        <p class="muted">{t("history.empty")}</p>
      ) : (
        <ul class="post-lines">
          {posts.map((post) => (
            <PostLine shown={shown} post={post} isTop={true} />
          ))}
        </ul>
      )}
      <nav class="row months" aria-label={t("history.months")}>
        <MonthLink shown={shown} month={addMonths(month, -1)} text="history.earlier" />
        {month < thisMonth ? (
          <span class="push">
            <MonthLink shown={shown} month={addMonths(month, 1)} text="history.later" />
          </span>
        ) : (
          <></>
        )}
      </nav>
    </>
  );
}

/** All of one incident or maintenance. */
export function PostPage({ shown, post }: { readonly shown: Shown; readonly post: PostRecord }) {
  const { t, formats } = shown;
  const names = listAffected(shown, post);
  return (
    <>
      <p>
        <a href={toLink(shown)}>{t("post.back")}</a>
      </p>
      <div class="stack is-tight">
        <p class="small muted">{t(`post.${post.type}`)}</p>
        <div class="row">
          <h1 lang={toContentLanguage(shown)}>{post.title}</h1>
          <StepTag post={post} t={t} />
        </div>
        <PostTime shown={shown} post={post} />
        {names.length === 0 ? (
          <></>
        ) : (
          <p class="small muted">{t("post.affects", { names: formats.list(names) })}</p>
        )}
      </div>
      <Course shown={shown} post={post} />
    </>
  );
}
