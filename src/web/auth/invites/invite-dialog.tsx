/** Making invites: for addresses, which are mailed, or codes to hand out. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { currentLanguage, text, withHint } from "../../app/texts.ts";
import { basePath } from "../../app/path.ts";
import { Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { DoneDialog, FormDialog } from "../../ui/console/form-dialog.tsx";
import { WordsField } from "../../ui/console/field-kinds.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { type Task, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { INVITES, type InviteLanguage, type NewInviteView, inviteLanguages } from "./invite-data.ts";

/** The links of new invites, which are shown this once. */
export function MadeInvites({
  made,
  onClose,
}: {
  made: readonly NewInviteView[];
  onClose: () => void;
}): JSX.Element {
  return (
    <DoneDialog title={text("auth.invites.made")} onClose={onClose}>
      <p>{text("auth.invites.once")}</p>
      <ul class="plain-list stack">
        {made.map(({ id, code, boundEmail, mailedAt }) => {
          const query = new URLSearchParams({ invite: code, ...(boundEmail && { email: boundEmail }) });
          return (
            <li key={id}>
              {boundEmail && (
                <p class="field-hint">
                  {text(mailedAt ? "auth.invites.mailedTo" : "auth.invites.boundTo", { email: boundEmail })}
                </p>
              )}
              <CopyBox
                label={text("auth.invites.link")}
                value={`${location.origin}${basePath}/sign-up?${query.toString()}`}
              />
            </li>
          );
        })}
      </ul>
    </DoneDialog>
  );
}

function findLanguage(): InviteLanguage {
  return inviteLanguages.find(({ value }) => value === currentLanguage())?.value ?? "en";
}

function MailFields(props: {
  mail: boolean;
  language: InviteLanguage;
  onMail: (mail: boolean) => void;
  onLanguage: (language: InviteLanguage) => void;
}): JSX.Element {
  const { mail, language, onMail, onLanguage } = props;
  return (
    <>
      <Checkbox label={text("auth.invites.mail")} checked={mail} onChange={onMail} />
      {mail && (
        <SelectField
          label={text("auth.invites.language")}
          value={language}
          choices={inviteLanguages}
          onChange={onLanguage}
        />
      )}
    </>
  );
}

/** Fields with a number. */
const numbers = { type: "number", inputMode: "numeric" } as const;

function CommonFields(props: {
  task: Task;
  days: string;
  note: string;
  onDays: (days: string) => void;
  onNote: (note: string) => void;
}): JSX.Element {
  const { task, days, note, onDays, onNote } = props;
  return (
    <>
      <TextField
        {...numbers}
        {...withHint("auth.invites.days")}
        error={task.errors.get("/ttlDays")}
        value={days}
        onInput={onDays}
      />
      <TextField
        label={text("admin.column.note")}
        error={task.errors.get("/note")}
        maxLength={200}
        value={note}
        onInput={onNote}
      />
    </>
  );
}

/** The dialog; `onMade` gets what was made. */
export function InviteDialog(props: {
  onMade: (made: readonly NewInviteView[]) => void;
  onClose: () => void;
}): JSX.Element {
  const { onMade, onClose } = props;
  const [emails, setEmails] = useState<readonly string[]>([]);
  const [mail, setMail] = useState(true);
  const [language, setLanguage] = useState(findLanguage);
  const [count, setCount] = useState("1");
  const [maxUses, setMaxUses] = useState("1");
  const [days, setDays] = useState("30");
  const [note, setNote] = useState("");
  const task = useTask();
  const isBound = emails.length > 0;
  async function submit(): Promise<void> {
    const who = isBound ? { boundEmails: emails, mail, language } : { count: Number(count), mail: false };
    const body = { ...who, maxUses: isBound ? 1 : Number(maxUses), ttlDays: Number(days), note };
    const { items } = await adminRequest<{ items: readonly NewInviteView[] }>(`${INVITES}/bulk`, {
      method: "POST",
      body,
    });
    onMade(items);
  }
  return (
    <FormDialog
      title={text("auth.invites.new")}
      action={text(isBound && mail ? "admin.send" : "auth.invites.make")}
      task={task}
      pointers={["/boundEmails", "/count", "/maxUses", "/ttlDays", "/note"]}
      onClose={onClose}
      onSubmit={() => void task.run(submit)}
    >
      <WordsField
        {...withHint("auth.invites.emails")}
        error={[...task.errors].find(([at]) => at.startsWith("/boundEmails"))?.[1]}
        words={emails}
        onChange={setEmails}
      />
      {isBound ? (
        <MailFields mail={mail} language={language} onMail={setMail} onLanguage={setLanguage} />
      ) : (
        <>
          <TextField
            {...numbers}
            label={text("auth.invites.count")}
            error={task.errors.get("/count")}
            value={count}
            onInput={setCount}
          />
          <TextField
            {...numbers}
            label={text("auth.invites.maxUses")}
            error={task.errors.get("/maxUses")}
            value={maxUses}
            onInput={setMaxUses}
          />
        </>
      )}
      <CommonFields task={task} days={days} note={note} onDays={setDays} onNote={setNote} />
    </FormDialog>
  );
}
