/** The answer to a buyer: words, and pictures by choice, by drop or from the clipboard. */
import type { JSX } from "preact";
import { MAX_ATTACHMENTS, MAX_BODY } from "../../../shop/chat/answer-schema.ts";
import { useState } from "preact/hooks";
import { ApiError } from "../../app/api.ts";
import { basePath } from "../../app/path.ts";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { conversationPath, picturePath } from "./chat-data.ts";

const TYPES = ["image/png", "image/jpeg", "image/webp"];

interface Sent {
  readonly id: string;
  readonly name: string;
}

/** Sends a picture to the shop. @throws ApiError */
async function sendPicture(file: File): Promise<Sent> {
  const response = await fetch(basePath + picturePath(), {
    method: "POST",
    headers: { "content-type": file.type },
    body: file,
  }).catch(() => undefined);
  if (response?.ok !== true) {
    const code = response === undefined ? "offline" : response.status === 413 ? "too_large" : "invalid";
    throw new ApiError("The picture was not taken", { status: response?.status ?? 0, code });
  }
  const id = /"id":"(att_\w+)"/u.exec(await response.text())?.[1] ?? "";
  return { id, name: file.name };
}

/** State of a reply, its images and its sending. */
function useAnswer(id: string, onSent: () => Promise<void>) {
  const [body, setBody] = useState("");
  const [pictures, setPictures] = useState<readonly Sent[]>([]);
  // The same until it is sent: sent again, it is stored once.
  const [clientId, setClientId] = useState(() => `desk-${crypto.randomUUID()}`);
  const task = useTask();
  const isEmpty = body.trim() === "" && pictures.length === 0;
  function add(files: Iterable<File>): void {
    const taken = [...files].filter(({ type }) => TYPES.includes(type));
    void task.run(async () => {
      for (const file of taken.slice(0, MAX_ATTACHMENTS - pictures.length)) {
        const sent = await sendPicture(file);
        setPictures((before) => [...before, sent]);
      }
    });
  }
  async function send(): Promise<void> {
    const message = { body: body.trim(), clientId, attachments: pictures.map((picture) => picture.id) };
    await adminRequest(conversationPath(id, "/messages"), { method: "POST", body: message });
    setBody("");
    setPictures([]);
    setClientId(`desk-${crypto.randomUUID()}`);
    await onSent();
  }
  return { body, setBody, pictures, setPictures, isEmpty, task, add, send };
}

/** The form. */
export function AnswerForm({ id, onSent }: { id: string; onSent: () => Promise<void> }): JSX.Element {
  const { body, setBody, pictures, setPictures, isEmpty, task, add, send } = useAnswer(id, onSent);
  return (
    <form
      class="stack-small"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) void task.run(send);
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        add(event.dataTransfer?.files ?? []);
      }}
      onPaste={(event) => {
        const files = event.clipboardData?.files ?? [];
        if (files.length > 0) add(files);
      }}
    >
      <TaskNote task={task} pointers={["/body"]} />
      <TextField
        label={text("shop.chat.answer")}
        value={body}
        long
        maxLength={MAX_BODY}
        error={task.errors.get("/body")}
        onInput={setBody}
      />
      {pictures.map((picture) => (
        <p class="field-hint" key={picture.id}>
          {picture.name}{" "}
          <Button
            small
            kind="quiet"
            onClick={() => setPictures(pictures.filter((one) => one.id !== picture.id))}
          >
            {text("shop.chat.leaveOut")}
          </Button>
        </p>
      ))}
      <div class="button-row">
        <Button kind="primary" type="submit" disabled={task.busy || isEmpty}>
          {text("admin.send")}
        </Button>
        <label class="button">
          {text("shop.chat.addPicture")}
          <input
            class="for-readers"
            type="file"
            accept={TYPES.join(",")}
            multiple
            onChange={(event) => {
              add(event.currentTarget.files ?? []);
              event.currentTarget.value = "";
            }}
          />
        </label>
      </div>
    </form>
  );
}
