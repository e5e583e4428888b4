/** @jsxImportSource hono/jsx */
/** A person as others see them. */
import type { PublicProfile } from "../../people/directory.ts";
import type { Visit } from "../visit.tsx";

/** The picture, or the first letter of the name. */
export function Avatar({
  profile,
  large = false,
}: {
  readonly profile: Pick<PublicProfile, "avatarUrl" | "displayName">;
  readonly large?: boolean;
}) {
  const name = large ? "avatar is-large" : "avatar";
  if (profile.avatarUrl !== null)
    return <img class={name} src={profile.avatarUrl} alt="" width="80" height="80" />;
  return (
    <span class={name} aria-hidden="true">
      {Array.from(profile.displayName)[0]?.toUpperCase() ?? ""}
    </span>
  );
}

interface ProfileCardProps {
  readonly visit: Visit;
  readonly profile: PublicProfile;
  /** Whether the page has another heading. */
  readonly part?: boolean;
}

/** All that the person shows of themselves. */
export function ProfileCard({ visit, profile, part = false }: ProfileCardProps) {
  const { t, time } = visit;
  const { username, displayName, bio, website, location, links, joinedAt, streak, likes } = profile;
  const facts = [
    location === "" ? undefined : location,
    joinedAt === undefined ? undefined : t("person.joined", { day: time(joinedAt, "day") }),
    streak === undefined ? undefined : t("person.streak", { days: streak }),
    t("person.likes", { likes }),
  ];
  const addresses = [...(website === "" ? [] : [{ label: website, url: website }]), ...links];
  return (
    <>
      <div class="person">
        <Avatar profile={profile} large />
        <div>
          {part ? <h2>{displayName}</h2> : <h1>{displayName}</h1>}
          <p class="muted">@{username}</p>
        </div>
      </div>
      {bio === "" ? <></> : <p class="prose">{bio}</p>}
      <p class="small muted">{facts.filter((fact) => fact !== undefined).join(" · ")}</p>
      {addresses.length === 0 ? (
        <></>
      ) : (
        <ul class="stack is-tight">
          {addresses.map(({ label, url }) => (
            <li>
              <a href={url} rel="nofollow noopener ugc">
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
