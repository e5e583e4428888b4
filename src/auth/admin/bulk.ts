/** One action on many accounts: each in a separate transaction with a separate outcome. */
import { AppError } from "../../kit/errors.ts";
import type { ActionBy } from "./user-action.ts";
import type { Suspension, UserActions } from "./user-actions.ts";

export const bulkActions = ["suspend", "unsuspend", "approve", "refuse", "delete"] as const;

export interface BulkOptions extends ActionBy, Suspension {
  readonly action: (typeof bulkActions)[number];
  readonly ids: readonly string[];
}

/** The outcome for one account; `error` if it failed. */
export interface BulkOutcome {
  readonly id: string;
  readonly error?: { readonly code: string; readonly message: string };
}

async function act(userActions: UserActions, id: string, options: BulkOptions): Promise<void> {
  const { action, until, reason, actor, caller } = options;
  const by = { actor, caller };
  switch (action) {
    case "suspend":
      await userActions.suspend(id, { ...by, until, reason });
      return;
    case "unsuspend":
      await userActions.unsuspend(id, by);
      return;
    case "approve":
      await userActions.approve(id, by);
      return;
    case "refuse":
      await userActions.refuse(id, { ...by, reason });
      return;
    case "delete":
      await userActions.remove(id, by);
  }
}

/** Does an action to each account once, and says of each what became of it. Throws what the store throws, and `invalid`. */
export async function runBulk(userActions: UserActions, options: BulkOptions): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = [];
  for (const id of new Set(options.ids)) {
    try {
      await act(userActions, id, options);
      outcomes.push({ id });
    } catch (error) {
      // An invalid request is invalid for all of them.
      if (!(error instanceof AppError) || error.code === "invalid") throw error;
      outcomes.push({ id, error: { code: error.code, message: error.message } });
    }
  }
  return outcomes;
}
