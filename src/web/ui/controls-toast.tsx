/** Short news at the foot of the page. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { text } from "../app/texts.ts";
import { IconButton } from "./controls.tsx";
import { Icon } from "./icons.tsx";

interface Toast {
  readonly id: number;
  readonly words: string;
  readonly kind: "good" | "bad";
}

const GOOD_MS = 5_000;
/** An error stays until it can have been read. */
const BAD_MS = 12_000;
const MAX_TOASTS = 4;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

function drop(id: number): void {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id);
}

/** Shows `words` for a while. */
export function showToast(words: string, kind: "good" | "bad" = "good"): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.peek().slice(1 - MAX_TOASTS), { id, words, kind }];
  setTimeout(() => drop(id), kind === "good" ? GOOD_MS : BAD_MS);
}

/** Where toasts appear; once in a page. */
export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, words, kind }) => (
        <div class={`toast is-${kind}`} key={id}>
          <Icon name={kind === "good" ? "check" : "alert"} />
          <span>{words}</span>
          <IconButton icon="close" label={text("control.close")} small onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  );
}
