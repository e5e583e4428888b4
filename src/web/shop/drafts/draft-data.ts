/** Draft orders as the console asks for them. */
import type { DraftPricesView, DraftView } from "../../../shop/draft-orders/answer-schema.ts";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { useEffect, useState } from "preact/hooks";

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

/** Wait after the last key before the prices are asked for. */
const PAUSE_MS = 400;

interface Prices {
  readonly shown?: DraftPricesView;
  readonly fault?: string;
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
export function usePrices(body: object | undefined): Prices {
  const [state, setState] = useState<Prices & { of?: string }>({});
  const asked = body === undefined ? undefined : JSON.stringify(body);
  useEffect(() => {
    if (asked === undefined) return undefined;
    let isOld = false;
    const timer = setTimeout(() => {
      ask(asked).then(
        (shown) => isOld || setState({ shown, of: asked }),
        (error: unknown) => isOld || setState({ fault: toMessage(error), of: asked }),
      );
    }, PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [asked]);
  return asked === undefined || state.of !== asked ? {} : state;
}
