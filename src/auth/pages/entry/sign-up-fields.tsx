/** @jsxImportSource hono/jsx */
/** Fields of every registration, with a password or through another provider. */
import { z } from "zod";
import type { Child } from "hono/jsx";
import { Field, Tick } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import {
  displayNameSchema,
  emailSchema,
  signUpMessageSchema,
  usernameSchema,
} from "../../accounts/schema.ts";
import type { Visit } from "../visit.tsx";

/** A field that was left empty was not sent. */
function orAbsent<T>(schema: z.ZodType<T>) {
  return z
    .literal("")
    .transform(() => undefined)
    .or(schema)
    .optional();
}

export const signUpShape = {
  username: usernameSchema,
  email: emailSchema,
  displayName: orAbsent(displayNameSchema),
  inviteCode: orAbsent(z.string().trim().max(64)),
  terms: z.string().optional(),
  message: orAbsent(signUpMessageSchema.trim()),
};

interface SignUpFieldsProps {
  readonly visit: Visit;
  readonly state: FormState;
  /** Values before the person types. */
  readonly values: { readonly [name in keyof typeof signUpShape]?: string | undefined };
  /** Whether it has a field for the display name. */
  readonly isNamed?: boolean;
  /** Shown after the email address. */
  readonly children?: Child;
}

/** The tick for the terms, where there are some. */
function Terms({ visit, state }: Pick<SignUpFieldsProps, "visit" | "state">) {
  const { t, settings } = visit;
  if (settings.termsVersion === "") return <></>;
  const label =
    settings.termsUrl === "" ? t("signUp.terms") : <a href={settings.termsUrl}>{t("signUp.terms")}</a>;
  return <Tick name="terms" label={label} state={state} />;
}

export function SignUpFields({ visit, state, values, isNamed = false, children }: SignUpFieldsProps) {
  const { t, settings } = visit;
  const { mode, usernameMinLength, usernameMaxLength } = settings;
  return (
    <>
      {mode === "invite" ? (
        <Field
          name="inviteCode"
          label={t("field.inviteCode")}
          state={state}
          value={values.inviteCode}
          hint={t("signUp.inviteHint")}
          required
        />
      ) : (
        <></>
      )}
      <Field
        name="username"
        label={t("field.username")}
        state={state}
        value={values.username}
        autocomplete="username"
        hint={t("signUp.usernameHint", { min: usernameMinLength, max: usernameMaxLength })}
        required
      />
      {isNamed ? (
        <Field
          name="displayName"
          label={t("field.displayName")}
          state={state}
          value={values.displayName}
          autocomplete="name"
        />
      ) : (
        <></>
      )}
      <Field
        name="email"
        label={t("field.email")}
        state={state}
        type="email"
        value={values.email}
        autocomplete="email"
        required
      />
      {children}
      {mode === "approval" ? (
        <Field
          name="message"
          label={t("field.message")}
          state={state}
          value={values.message}
          rows={3}
          hint={t("signUp.messageHint")}
        />
      ) : (
        <></>
      )}
      <Terms visit={visit} state={state} />
      <button class="button primary wide" type="submit">
        {t("signUp.button")}
      </button>
    </>
  );
}
