/** @jsxImportSource hono/jsx */
/** Where a script adds a passkey button; without scripts, its children are shown. */
import type { Child } from "hono/jsx";
import { z } from "zod";
import { type AssertionResponse, assertionResponseSchema } from "../passkeys/schema.ts";
import { passkeyInvalid } from "../passkeys/challenges.ts";
import type { SentForm } from "../../html/sent-form.ts";
import type { Visit } from "./visit.tsx";

interface PasskeyPlaceProps {
  readonly visit: Visit;
  readonly kind: "get" | "create";
  /** Where the answer goes; its options are at "/options" below. */
  readonly action: string;
  readonly label: string;
  readonly next?: string | undefined;
  /** Class of the button. */
  readonly button?: string;
  /** Offers passkeys in the list of the name's field too. */
  readonly autofill?: boolean;
  /** A credential that the center does not know, so that the browser offers it no more. */
  readonly unknown?: string | undefined;
  /** Shown without passkey support. */
  readonly children?: Child;
}

export function PasskeyPlace(props: PasskeyPlaceProps) {
  const { visit, kind, action, label, next, button = "button wide", autofill = false, children } = props;
  const { t, formToken, relyingParty } = visit;
  if (relyingParty === undefined) return <>{children}</>;
  return (
    <div
      id="field-passkey"
      data-passkey={kind}
      data-action={action}
      data-token={formToken}
      data-next={next}
      data-label={label}
      data-button={button}
      data-rp={relyingParty.id}
      data-autofill={autofill ? "" : undefined}
      data-unknown={props.unknown}
      data-cancelled={t("passkeys.canceled")}
      data-known={t("passkeys.known")}
      data-failed={t("passkeys.failed")}
    >
      {children}
    </div>
  );
}

/** Reports, with a password, whether the device can create a passkey. */
export function PasskeyDevice({ visit: { relyingParty } }: { readonly visit: Visit }) {
  if (relyingParty === undefined) return <></>;
  return <input type="hidden" name="passkeyDevice" value="" data-passkey-device={relyingParty.id} />;
}

const sentSchema = z.object({ challengeId: z.string().min(1).max(2_000), response: z.string().max(65_536) });

/** The script's input; undefined if it got no options. Throws `passkey_invalid`. */
export function readPasskeyAnswer<R>(
  { values }: SentForm,
  schema: z.ZodType<R>,
): { challengeId: string; response: R } | undefined {
  const sent = sentSchema.safeParse(values);
  if (!sent.success) return undefined;
  try {
    return { challengeId: sent.data.challengeId, response: schema.parse(JSON.parse(sent.data.response)) };
  } catch {
    throw passkeyInvalid();
  }
}

/** The same for a signature. */
export function readAssertion(
  form: SentForm,
): { challengeId: string; response: AssertionResponse } | undefined {
  return readPasskeyAnswer(form, assertionResponseSchema);
}

/** The credential of a form that was refused. */
export function findCredential(values: Readonly<Record<string, string>>): string | undefined {
  try {
    return assertionResponseSchema.parse(JSON.parse(values["response"] ?? "")).id;
  } catch {
    return undefined;
  }
}
