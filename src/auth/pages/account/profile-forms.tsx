/** @jsxImportSource hono/jsx */
/** The parts of the profile's page. */
import { listZoneNames } from "../../../kit/text/zone-names.ts";
import { Choice, Field, Form, Tick } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { languageNames, languages } from "../../../kit/text/languages.ts";
import type { ProfileRecord } from "../../accounts/schema.ts";
import { toAvatarUrl } from "../../people/profiles.ts";
import { Avatar, ProfileCard } from "../people/profile-card.tsx";
import type { SignedInVisit } from "../visit.tsx";

const PATH = "/account/profile";
export const LINKS = 5;
const visibilities = ["public", "unlisted", "private"] as const;
const likePolicies = ["anyone", "signed-in", "off"] as const;

/** Where people see their own picture. */
export const PICTURE_PATH = "/account/picture";

export interface ProfilePartProps {
  readonly visit: SignedInVisit;
  readonly profile: ProfileRecord;
  readonly state: FormState;
}

function Links({ visit, profile, state }: ProfilePartProps) {
  const { t } = visit;
  return (
    <details open={state.faults.some(({ field }) => field === "links")}>
      <summary>{t("profile.links")}</summary>
      <fieldset class="stack" id="field-links">
        <legend class="small muted">{t("profile.linksHint")}</legend>
        {Array.from({ length: LINKS }, (_, index) => (
          <div class="cards">
            <Field
              name={`label${index}`}
              label={t("field.linkLabel", { number: index + 1 })}
              state={state}
              value={profile.links[index]?.label ?? ""}
            />
            <Field
              name={`url${index}`}
              label={t("field.linkUrl", { number: index + 1 })}
              state={state}
              value={profile.links[index]?.url ?? ""}
              type="url"
            />
          </div>
        ))}
      </fieldset>
    </details>
  );
}

/** The person's names: on their page, and for applications that request names in parts. */
function Names({ visit: { t }, profile, state }: ProfilePartProps) {
  return (
    <>
      <Field
        name="displayName"
        label={t("field.displayName")}
        state={state}
        value={profile.displayName}
        autocomplete="name"
      />
      <Field
        name="givenName"
        label={t("field.givenName")}
        state={state}
        value={profile.givenName}
        autocomplete="given-name"
      />
      <Field
        name="familyName"
        label={t("field.familyName")}
        state={state}
        value={profile.familyName}
        autocomplete="family-name"
        hint={t("profile.namesHint")}
      />
    </>
  );
}

/** The public profile, and who may see it. */
export function ProfileForm({ visit, profile, state }: ProfilePartProps) {
  const { t, formToken } = visit;
  const version = state.values["version"] ?? String(profile.editVersion);
  return (
    <Form action={`${PATH}/save`} token={formToken} class="card stack">
      <h2>{t("profile.shown")}</h2>
      <input type="hidden" name="version" value={version} />
      <Names visit={visit} profile={profile} state={state} />
      <Field name="bio" label={t("field.bio")} state={state} value={profile.bio} rows={4} />
      <Field
        name="location"
        label={t("field.location")}
        state={state}
        value={profile.location}
        autocomplete="address-level2"
      />
      <Field
        name="website"
        label={t("field.website")}
        state={state}
        value={profile.website}
        type="url"
        autocomplete="url"
      />
      <Links visit={visit} profile={profile} state={state} />
      <Choice
        name="visibility"
        label={t("field.visibility")}
        state={state}
        value={profile.visibility}
        options={visibilities.map((value) => ({ value, label: t(`visibility.${value}`) }))}
      />
      <Tick
        name="inDirectory"
        label={t("field.inDirectory")}
        hint={t("profile.directoryHint")}
        state={state}
        checked={profile.inDirectory}
      />
      <Tick name="showStreak" label={t("field.showStreak")} state={state} checked={profile.showStreak} />
      <Tick name="showJoined" label={t("field.showJoined")} state={state} checked={profile.showJoined} />
      <Choice
        name="likePolicy"
        label={t("field.likePolicy")}
        state={state}
        value={profile.likePolicy}
        options={likePolicies.map((value) => ({ value, label: t(`likes.${value}`) }))}
      />
      <button class="button primary" type="submit">
        {t("form.save")}
      </button>
    </Form>
  );
}

export function PictureForm({ visit, profile }: Omit<ProfilePartProps, "state">) {
  const { t, formToken } = visit;
  return (
    <section class="card stack">
      <h2>{t("profile.picture")}</h2>
      <Form action={`${PATH}/picture`} token={formToken} upload>
        <div class="person">
          <Avatar profile={{ displayName: profile.displayName, avatarUrl: toOwnPicture(profile) }} large />
          <div class="field">
            <label class="field-label" for="field-picture">
              {t("field.picture")}
            </label>
            <input id="field-picture" type="file" name="picture" accept="image/png,image/jpeg,image/webp" />
            <p class="field-hint">{t("profile.pictureHint")}</p>
          </div>
        </div>
        <button class="button" type="submit">
          {t("profile.pictureSave")}
        </button>
      </Form>
      {profile.avatarHash === undefined ? (
        <></>
      ) : (
        <Form action={`${PATH}/remove-picture`} token={formToken}>
          <button class="button danger" type="submit">
            {t("profile.pictureRemove")}
          </button>
        </Form>
      )}
    </section>
  );
}

/** A private picture is only shown to its owner. The hash makes browsers load a changed picture. */
function toOwnPicture({ avatarHash }: ProfileRecord): string | null {
  return avatarHash === undefined ? null : `${PICTURE_PATH}?v=${avatarHash.slice(0, 16)}`;
}

/** Name, language and time zone. */
export function AccountForm({ visit, state }: Omit<ProfilePartProps, "profile">) {
  const { t, formToken, subject, language } = visit;
  const { user } = subject;
  const zones = [...new Set([user.timeZone, ...listZoneNames()])];
  return (
    <Form action={`${PATH}/account`} token={formToken} class="card stack">
      <h2>{t("profile.account")}</h2>
      <Field
        name="username"
        label={t("field.username")}
        hint={t("profile.usernameHint")}
        state={state}
        value={user.username}
        autocomplete="username"
      />
      <Choice
        name="language"
        label={t("field.language")}
        state={state}
        value={language}
        options={languages.map((value) => ({ value, label: languageNames[value] }))}
      />
      <Choice
        name="timeZone"
        label={t("field.timeZone")}
        state={state}
        value={user.timeZone}
        options={zones.map((value) => ({ value, label: value }))}
      />
      <button class="button" type="submit">
        {t("form.save")}
      </button>
    </Form>
  );
}

/** The current public profile. */
export function Preview({ visit, profile }: Omit<ProfilePartProps, "state">) {
  const { t } = visit;
  if (profile.visibility === "private") return <p class="muted">{t("profile.nobody")}</p>;
  const { showJoined, showStreak: _streak, ...shown } = profile;
  return (
    <section class="card stack">
      <p class="row small">
        <span class="muted">{t("profile.preview")}</span>
        <a class="push" href={`/people/${profile.username}`}>
          {t("profile.open")}
        </a>
      </p>
      <ProfileCard
        part
        visit={visit}
        profile={{
          ...shown,
          avatarUrl: toAvatarUrl(profile),
          joinedAt: showJoined ? profile.joinedAt : undefined,
        }}
      />
    </section>
  );
}
