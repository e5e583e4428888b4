/** The two numbers of the chat: `seq` of messages and `change` of conversations. */
import type { ReadTx, Tx } from "../../store/store.ts";
import { chatHead } from "./records.ts";

const HEAD = "head";

export interface ChatNumbers {
  readonly seq: number;
  readonly change: number;
}

/** The numbers of the last message and the last change, 0 before the first. */
export async function readNumbers(tx: ReadTx): Promise<ChatNumbers> {
  const head = await tx.get(chatHead, HEAD);
  return { seq: head?.seq ?? 0, change: head?.changes ?? 0 };
}

/** Assigns the number of a change, and of a message if it is about one. */
export async function takeNumbers(tx: Tx, about: "message" | "conversation"): Promise<ChatNumbers> {
  const head = await tx.get(chatHead, HEAD);
  const seq = (head?.seq ?? 0) + (about === "message" ? 1 : 0);
  const changes = (head?.changes ?? 0) + 1;
  if (head === undefined) await tx.insert(chatHead, { id: HEAD, seq, changes });
  else await tx.put(chatHead, { ...head, seq, changes });
  return { seq, change: changes };
}

/** `seq` of the last message whose pictures are known to have ids. */
export async function readCarried(tx: ReadTx): Promise<number> {
  return (await tx.get(chatHead, HEAD))?.carriedSeq ?? 0;
}

/** Notes how far pictures of messages have ids. */
export async function writeCarried(tx: Tx, carriedSeq: number): Promise<void> {
  const head = await tx.get(chatHead, HEAD);
  if (head !== undefined && (head.carriedSeq ?? 0) < carriedSeq)
    await tx.put(chatHead, { ...head, carriedSeq });
}
