/** @jsxImportSource hono/jsx */
/** The profile, its picture, and the settings of the account. */
import type { Context } from "hono";
import { z } from "zod";
import type { AppEnv } from "../../../kit/http/app.ts";
import { readBodyStart } from "../../../kit/http/request-body.ts";
import { FormFaults } from "../../../html/form.tsx";
import { type FormState, stateOf } from "../../../html/faults.ts";
import { findLanguage, languages } from "../../../kit/text/languages.ts";
import { readImageType } from "../../../kit/pictures/image-type.ts";
import { AppError } from "../../../kit/errors.ts";
import { assertOwner } from "../../sessions/subject.ts";
import { type ProfileRecord, profilePatchSchema, usernameSchema } from "../../accounts/schema.ts";
import type { Me } from "../../me/me.ts";
import type { Avatars } from "../../people/avatars.ts";
import type { Profiles } from "../../people/profiles.ts";
import { timeZone } from "../../../kit/text/schemas.ts";
import { Done } from "../done.tsx";
import { type SentForm, parseForm, parseInput } from "../../../html/sent-form.ts";
import type { PageRoutes } from "../page.ts";
import type { SignedInVisit, Visits } from "../visit.tsx";
import { AccountForm, LINKS, PICTURE_PATH, PictureForm, Preview, ProfileForm } from "./profile-forms.tsx";

const PATH = "/account/profile";
export const PICTURE_FORM = `${PATH}/picture`;
/** A file of this size is read and dropped, so that its sender hears the answer; one beyond may not. */
const DROPPED_BYTES = 33_554_432;
const accountForm = z.object({
  username: usernameSchema,
  language: z.enum(languages),
  timeZone,
});

interface Parts {
  readonly profiles: Profiles;
  readonly avatars: Avatars;
  readonly me: Me;
  readonly visits: Visits;
}

/** The fields of the form as the API takes them. Throws `invalid`. */
function readProfile(form: SentForm) {
  const { values } = form;
  const links = Array.from({ length: LINKS }, (_, index) => ({
    label: values[`label${index}`]?.trim() ?? "",
    url: values[`url${index}`]?.trim() ?? "",
  })).filter(({ label, url }) => label !== "" || url !== "");
  const { displayName, givenName, familyName, bio, website, location, visibility, likePolicy } = values;
  const input = {
    displayName,
    givenName,
    familyName,
    bio,
    location,
    visibility,
    likePolicy,
    links,
    website: website?.trim(),
    inDirectory: values["inDirectory"] !== undefined,
    showStreak: values["showStreak"] !== undefined,
    showJoined: values["showJoined"] !== undefined,
  };
  return parseInput(profilePatchSchema, input);
}

/** Keeps the picture of the form. Throws `invalid`, `too_large`. */
async function savePicture(visit: SignedInVisit, { files }: SentForm, avatars: Avatars): Promise<void> {
  assertOwner(visit.subject);
  const bytes = new Uint8Array((await files["picture"]?.arrayBuffer()) ?? new ArrayBuffer(0));
  const image = readImageType(bytes);
  if (image === undefined) {
    const message = "Choose a PNG, JPEG or WebP picture";
    throw new AppError("invalid", message, { errors: [{ pointer: "/picture", code: "invalid", message }] });
  }
  await avatars.put(visit.subject.user.id, { mediaType: image.mediaType, bytes });
}

/** Leads from a form that is too large to be read to the page that says so. */
export async function refusePicture(c: Context<AppEnv>): Promise<Response> {
  if (Number(c.req.header("content-length")) <= DROPPED_BYTES) await readBodyStart(c, 0);
  return c.redirect(`${PATH}?fault=too_large`, 303);
}

/** Errors of the forms; for a picture that was too large to be read, the URL has the error. */
function withPicture({ c, t }: SignedInVisit, state: FormState): FormState {
  if (c.req.query("fault") !== "too_large" || state.action !== undefined) return state;
  return { ...state, faults: [{ field: "picture", text: t("error.too_large") }] };
}

function showProfile(visit: SignedInVisit, profile: ProfileRecord, state: FormState) {
  const { t } = visit;
  return (
    <>
      <h1>{t("profile.title")}</h1>
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Done visit={visit} />
      <div class="cards">
        <ProfileForm visit={visit} profile={profile} state={stateOf(state, "/save")} />
        <div class="stack">
          <Preview visit={visit} profile={profile} />
          <PictureForm visit={visit} profile={profile} />
          <AccountForm visit={visit} state={stateOf(state, "/account")} />
        </div>
      </div>
    </>
  );
}

/** Adds /account/profile, and the picture in it, which others may not be allowed to see. */
export function addProfilePage(pages: PageRoutes, { profiles, avatars, me, visits }: Parts): void {
  pages.addPersonal({
    path: PICTURE_PATH,
    show: async ({ c, subject }) => {
      const own = await avatars.findOwn(subject.user.id);
      if (own === undefined) return c.redirect(PATH, 303);
      const headers = { "cache-control": "no-store", "content-security-policy": "default-src 'none'" };
      return c.body(own.bytes, 200, { ...headers, "content-type": own.mediaType });
    },
  });
  pages.addPersonal({
    path: PATH,
    show: async (visit, state) =>
      visit.render({
        title: visit.t("profile.title"),
        place: PATH,
        status: state.status,
        body: showProfile(visit, await profiles.get(visit.subject.user.id), withPicture(visit, state)),
      }),
    actions: {
      "/save": {
        submit: async ({ subject, c }, form) => {
          assertOwner(subject);
          const version = z.coerce.number().int().optional().catch(undefined).parse(form.values["version"]);
          await profiles.patch(subject.user.id, { fields: readProfile(form), version });
          return c.redirect(`${PATH}?done=saved`, 303);
        },
      },
      "/account": {
        submit: async ({ subject, c }, form) => {
          const { username, language, timeZone: zone } = parseForm(accountForm, form);
          await me.change(subject, {
            change: {
              ...(username === subject.user.username ? {} : { username }),
              // "de-AT" is German already.
              locale: findLanguage(subject.user.locale) === language ? undefined : language,
              timeZone: zone,
            },
            version: undefined,
          });
          visits.chooseLanguage(c, language);
          return c.redirect(`${PATH}?done=saved`, 303);
        },
      },
      "/picture": {
        fields: { invalid: "picture", too_large: "picture" },
        submit: async (visit, form) => {
          await savePicture(visit, form, avatars);
          return visit.c.redirect(`${PATH}?done=saved`, 303);
        },
      },
      "/remove-picture": {
        submit: async ({ subject, c }) => {
          assertOwner(subject);
          await avatars.remove(subject.user.id);
          return c.redirect(`${PATH}?done=saved`, 303);
        },
      },
    },
  });
}
