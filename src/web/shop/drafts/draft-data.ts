/** Draft orders as the console asks for them. */
import type { DraftPricesView, DraftView } from "../../../shop/draft-orders/answer-schema.ts";
import { type Preview, usePreview } from "../../ui/forms/use-preview.ts";
import { adminRequest } from "../../ui/console/session.ts";

export type { DraftPricesView, DraftView };

export const DRAFTS = "/api/admin/draft-orders";

export function draftPath(id: string, end = ""): string {
  return `${DRAFTS}/${encodeURIComponent(id)}${end}`;
}

/** What fields of a draft must know. */
export interface DraftContext {
  readonly currency: string;
  readonly languages: readonly string[];
  /** Titles of stored items, by their IDs. */
  readonly titles: Readonly<Record<string, string>>;
}

const kept = new Map<string, Promise<DraftPricesView>>();

/** One request for all that show the prices of the same draft. */
function ask(asked: string): Promise<DraftPricesView> {
  const known = kept.get(asked);
  if (known !== undefined) return known;
  const answer = adminRequest<DraftPricesView>(`${DRAFTS}/preview`, {
    method: "POST",
    body: JSON.parse(asked),
  });
  kept.clear();
  kept.set(asked, answer);
  return answer;
}

/** What a draft costs as it is typed, or why it has no price. */
export function usePrices(body: object | undefined): Preview<DraftPricesView> {
  return usePreview(body === undefined ? undefined : JSON.stringify(body), ask);
}
