/** Requires a fresh verification of the person's identity, while a request waits for it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ConsoleSessionView } from "../../auth/console/schema.ts";
import { ApiError, request } from "../app/api.ts";
import { text } from "../app/texts.ts";
import { Button, TextField } from "../ui/controls.tsx";
import { Dialog } from "../ui/controls-dialog.tsx";
import { ErrorNote } from "../ui/console/problem.tsx";
import { toMessage } from "../ui/forms/fault-words.ts";
import { endProof, proofAsked, session } from "../ui/console/session.ts";
import { ProveAgain } from "../ui/console/sign-in.tsx";

const PATH = "/api/console/session/proof";

function toRefusal(error: unknown): string {
  if (error instanceof ApiError && error.code === "invalid_credentials") return text("auth.proof.wrong");
  if (error instanceof ApiError && error.code === "code_invalid") return text("auth.proof.wrongCode");
  return toMessage(error);
}

function PasswordProof({ withCode }: { withCode: boolean }): JSX.Element {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>();
  async function prove(): Promise<void> {
    setBusy(true);
    setRefusal(undefined);
    try {
      await request(PATH, { method: "POST", body: { password, code } });
      endProof(true);
    } catch (error) {
      setRefusal(toRefusal(error));
      setBusy(false);
    }
  }
  return (
    <Dialog
      title={text("admin.proof.title")}
      onClose={() => endProof(false)}
      onSubmit={() => void prove()}
      actions={
        <>
          <Button onClick={() => endProof(false)}>{text("control.cancel")}</Button>
          <Button kind="primary" type="submit" disabled={busy}>
            {text("auth.proof.go")}
          </Button>
        </>
      }
    >
      <p>{text("admin.proof.text")}</p>
      {refusal !== undefined && <ErrorNote message={refusal} />}
      <TextField
        label={text("admin.field.password")}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onInput={setPassword}
      />
      {withCode && (
        <TextField
          label={text("auth.proof.code")}
          hint={text("auth.proof.codeHint")}
          autoComplete="one-time-code"
          required
          value={code}
          onInput={setCode}
        />
      )}
    </Dialog>
  );
}

/** The signed-in user according to the console. */
export type SignedInView = Extract<ConsoleSessionView, { status: "signed_in" }>;

/** The dialog, while something waits for it. */
export function ProofDialog(): JSX.Element | null {
  const present = session.value;
  if (!proofAsked.value || present.kind !== "in") return null;
  // Set by authAccess.
  const { passwordSet, hasSecondFactor } = present.info as SignedInView;
  // A user without a password verifies by email, on a page of the account.
  return passwordSet ? <PasswordProof withCode={hasSecondFactor} /> : <ProveAgain path="/account/confirm" />;
}
