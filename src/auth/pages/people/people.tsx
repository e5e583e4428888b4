/** @jsxImportSource hono/jsx */
/** The directory of people who want to be found, and their pages with likes. */
import type { Visit } from "../visit.tsx";
import type { Directory, PublicProfile } from "../../people/directory.ts";
import type { Likes } from "../../people/likes.ts";
import { Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import type { PageRoutes } from "../page.ts";
import { Avatar, ProfileCard } from "./profile-card.tsx";

const PAGE = 30;
const MAX_QUERY = 40;

interface Parts {
  readonly directory: Directory;
  readonly likes: Likes;
}

interface ListProps {
  readonly visit: Visit;
  readonly query: string;
  readonly people: readonly PublicProfile[];
  readonly nextCursor: string | undefined;
}

function People({ visit, query, people, nextCursor }: ListProps) {
  const { t } = visit;
  const q = query === "" ? "" : `q=${encodeURIComponent(query)}&`;
  return (
    <>
      <h1>{t("people.title")}</h1>
      <form method="get" action="/people" class="search" role="search">
        <input type="search" name="q" value={query} maxlength={MAX_QUERY} aria-label={t("people.search")} />
        <button class="button" type="submit">
          {t("people.search")}
        </button>
      </form>
      {people.length === 0 ? (
        <p class="muted">{t(query === "" ? "people.empty" : "people.notFound")}</p>
      ) : (
        <ul class="lines">
          {people.map((profile) => (
            <li>
              <a class="person" href={`/people/${profile.username}`}>
                <Avatar profile={profile} />
                <span>
                  <strong>{profile.displayName}</strong> <span class="muted">@{profile.username}</span>
                  <br />
                  <span class="small muted">{profile.bio.split("\n")[0]?.slice(0, 120)}</span>
                </span>
              </a>
              <span class="small muted">{t("person.likes", { likes: profile.likes })}</span>
            </li>
          ))}
        </ul>
      )}
      {nextCursor === undefined ? (
        <></>
      ) : (
        <p>
          <a class="button" href={`/people?${q}cursor=${encodeURIComponent(nextCursor)}`}>
            {t("list.more")}
          </a>
        </p>
      )}
    </>
  );
}

function LikeForm({ visit, profile }: { readonly visit: Visit; readonly profile: PublicProfile }) {
  const { t, formToken, subject } = visit;
  const { username, likePolicy, likedByMe = false } = profile;
  const isOwn = subject?.user.username === username;
  if (likePolicy === "off" || isOwn) return <></>;
  if (likePolicy === "signed-in" && subject === undefined)
    return (
      <p>
        <a class="button" href={`/sign-in?rd=${encodeURIComponent(`/people/${username}`)}`}>
          {t("person.signInToLike")}
        </a>
      </p>
    );
  return (
    <Form action={`/people/${username}/${likedByMe ? "unlike" : "like"}`} token={formToken}>
      <button class={likedByMe ? "button" : "button primary"} type="submit">
        {t(likedByMe ? "person.unlike" : "person.like")}
      </button>
    </Form>
  );
}

export function addPeoplePages(pages: PageRoutes, { directory, likes }: Parts): void {
  pages.addPublic({
    path: "/people",
    show: async (visit, state) => {
      const { c, subject } = visit;
      const query = (c.req.query("q") ?? "").trim().slice(0, MAX_QUERY);
      const { items, nextCursor } = await directory.list({
        ...(query === "" ? {} : { q: query }),
        sort: "username",
        limit: PAGE,
        cursor: c.req.query("cursor"),
        viewerId: subject?.user.id,
      });
      return visit.render({
        title: visit.t("people.title"),
        status: state.status,
        body: <People visit={visit} query={query} people={items} nextCursor={nextCursor} />,
      });
    },
  });

  const nameOf = ({ c }: Visit): string => c.req.param("name") ?? "";
  pages.addPublic({
    path: "/people/:name",
    show: async (
      visit,
      state: FormState & { status: 200 | 400 | 401 | 403 | 409 | 413 | 422 | 429 | 503 },
    ) => {
      const profile = await directory.get(nameOf(visit), visit.subject?.user.id);
      return visit.render({
        title: profile.displayName,
        narrow: true,
        status: state.status,
        body: (
          <>
            <FormFaults title={visit.t("form.faults")} faults={state.faults} />
            <ProfileCard visit={visit} profile={profile} />
            <LikeForm visit={visit} profile={profile} />
          </>
        ),
      });
    },
    actions: {
      "/like": {
        submit: async (visit) => {
          const { subject, caller, c } = visit;
          await likes.add(nameOf(visit), { subject, caller });
          return c.redirect(`/people/${encodeURIComponent(nameOf(visit))}`, 303);
        },
      },
      "/unlike": {
        submit: async (visit) => {
          const { subject, caller, c } = visit;
          await likes.remove(nameOf(visit), { subject, caller });
          return c.redirect(`/people/${encodeURIComponent(nameOf(visit))}`, 303);
        },
      },
    },
  });
}
