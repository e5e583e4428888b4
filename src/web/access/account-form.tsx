/** Signing in with an account of the auth center: name and password, then the second factor of who has one. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AccountAnswerView } from "../../monitor/access/view-schema.ts";
import { ApiError, request } from "../app/api.ts";
import { toSpan } from "../app/format.ts";
import { type TextName, text } from "../app/texts.ts";
import { Button, Field } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";

/** The account of the new session. */
export type SignedIn = Extract<AccountAnswerView, { status: "signed_in" }>;
type Challenge = Extract<AccountAnswerView, { status: "mfa_required" }>;

function toRefusal(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 429)
    return text("access.locked", { wait: toSpan(1_000 * (error.retryAfterSeconds ?? 60)) });
  const known: Readonly<Record<number, TextName>> = {
    401: "access.wrong",
    403: "access.refused",
    503: "access.away",
  };
  const name = known[error.status];
  return name === undefined ? error.message : text(name);
}

function Input(props: {
  label: string;
  name: string;
  type?: "text" | "password";
  autoComplete: string;
  value: string;
  focus?: boolean;
  onInput: (value: string) => void;
}): JSX.Element {
  const { label, focus = false, onInput, ...rest } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus) input.current?.focus();
  }, []);
  return (
    <Field label={label}>
      {(links) => (
        <input
          {...links}
          {...rest}
          ref={input}
          required
          spellcheck={false}
          autoCapitalize="none"
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function Refusal({ words }: { words: string | undefined }): JSX.Element {
  // The live region exists before it has a message; otherwise screen readers would skip it.
  return (
    <div role="alert">
      {words !== undefined && (
        <p class="admin-note is-bad">
          <Icon name="alert" />
          <span>{words}</span>
        </p>
      )}
    </div>
  );
}

interface Typed {
  readonly identifier: string;
  readonly password: string;
  readonly code: string;
}

function toBody({ identifier, password, code }: Typed, challenge: Challenge | undefined): object {
  if (challenge === undefined) return { identifier: identifier.trim(), password };
  const typed = code.trim();
  // Codes of an authenticator are digits; recovery codes have letters.
  const method = /^[\d ]+$/u.test(typed) ? "totp" : "recovery";
  return { challengeId: challenge.challengeId, method, code: typed };
}

/** The form. */
export function AccountForm({ onDone }: { onDone: (signedIn: SignedIn) => void }): JSX.Element {
  const [typed, setTyped] = useState<Typed>({ identifier: "", password: "", code: "" });
  const [challenge, setChallenge] = useState<Challenge | undefined>();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>();

  function bind(key: keyof Typed): { value: string; onInput: (value: string) => void } {
    return { value: typed[key], onInput: (value) => setTyped((before) => ({ ...before, [key]: value })) };
  }
  async function send(): Promise<void> {
    const body = toBody(typed, challenge);
    const answer = await request<AccountAnswerView>("/api/access/session", { method: "POST", body });
    if (answer.status === "mfa_required") setChallenge(answer);
    else onDone(answer);
  }
  function submit(): void {
    setBusy(true);
    setRefusal(undefined);
    send()
      .catch((error: unknown) => setRefusal(toRefusal(error)))
      .finally(() => setBusy(false));
  }
  const name = { label: text("access.identifier"), name: "username", autoComplete: "username" };
  const password = { label: text("access.password"), name: "password", autoComplete: "current-password" };
  const code = { label: text("access.code"), name: "code", autoComplete: "one-time-code" };
  return (
    <form
      class="stack-small"
      aria-label={text("access.account")}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Refusal words={refusal} />
      {challenge === undefined ? (
        <>
          <Input {...name} {...bind("identifier")} />
          <Input {...password} type="password" {...bind("password")} />
        </>
      ) : (
        <Input {...code} focus {...bind("code")} />
      )}
      <Button kind="primary" type="submit" disabled={busy}>
        {text(busy ? "admin.signin.busy" : "admin.signin.submit")}
      </Button>
    </form>
  );
}
