/** A profile as it is typed, and what is sent of it. */
import type { ProfileFields } from "../../../auth/accounts/schema.ts";
import type { ProfileView } from "./user-data.ts";

/** Links are lines such as "Code https://git.example.org/ann". */
export type ProfileForm = Omit<ProfileFields, "links"> & { readonly links: string };

/** What is stored, as it is typed. */
export function toProfileForm(profile: ProfileView): ProfileForm {
  const { links, displayName, givenName, familyName, bio, website, location, visibility, inDirectory } =
    profile;
  const { showStreak, showJoined, likePolicy } = profile;
  return {
    displayName,
    givenName,
    familyName,
    bio,
    website,
    location,
    links: links.map(({ label, url }) => `${label} ${url}`).join("\n"),
    visibility,
    inDirectory,
    showStreak,
    showJoined,
    likePolicy,
  };
}

/** A line's last word is the address, and what stands before it the label; without one the service says what is missing. */
function parseLink(line: string): { label: string; url: string } {
  const words = line.trim().split(/\s+/u);
  const url = words.pop() ?? "";
  return { label: words.join(" "), url };
}

/** What was typed, as it is sent. */
export function toProfileFields({ links, displayName, website, ...rest }: ProfileForm): ProfileFields {
  const lines = links.split("\n").filter((line) => line.trim() !== "");
  return {
    ...rest,
    displayName: displayName.trim(),
    website: website.trim(),
    links: lines.map(parseLink),
  };
}
