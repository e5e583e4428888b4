/** Changes to what is stored as a whole: each is shown at once, and sent when those before it are stored. */

export interface InTurnOptions<T> {
  readonly stored: T;
  /** Stores it; resolves with what is stored then. */
  readonly send: (value: T) => Promise<T>;
  /** Gets what is stored with all changes that still wait. */
  readonly show: (value: T) => void;
  /** Called when a change could not be stored. */
  readonly onError: (error: unknown) => void;
}

export interface InTurn<T> {
  /** Applies a change; if it cannot be stored, it is undone together with those made after it. */
  change(edit: (value: T) => T): void;
  /** Takes over a value stored by other means; waiting changes are applied to it. */
  take(stored: T): void;
}

/** Begins with what is stored. */
export function createInTurn<T>({ send, show, onError, ...options }: InTurnOptions<T>): InTurn<T> {
  let { stored } = options;
  let waiting: ((value: T) => T)[] = [];
  let isSending = false;

  function take(next: T): void {
    stored = next;
    show(waiting.reduce((value, edit) => edit(value), stored));
  }

  async function sendAll(): Promise<void> {
    isSending = true;
    try {
      for (let edit = waiting[0]; edit !== undefined; edit = waiting[0]) {
        const next = await send(edit(stored));
        waiting.shift();
        take(next);
      }
    } catch (error) {
      waiting = [];
      take(stored);
      onError(error);
    } finally {
      isSending = false;
    }
  }

  return {
    take,
    change(edit) {
      waiting.push(edit);
      take(stored);
      if (!isSending) void sendAll();
    },
  };
}
