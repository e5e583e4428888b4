/** Access rules in memory: read at every request, and updated on every change. */
import type { Clock } from "../../kit/time/clock.ts";
import { type AdminScope, pickScopes } from "../../records/rights/scopes.ts";
import type { Store } from "../../store/store.ts";
import { accessTokens } from "./records.ts";
import type { AccessSettings, AccessTokenRecord, Account, TokenScope } from "./schema.ts";
import type { Right } from "./visitor.ts";

/** As many tokens as there may be. */
export const MAX_TOKENS = 500;
/** A use is written down when the last one that was is so old. */
const USE_MS = 5 * 60_000;

function isListed({ usernames }: { readonly usernames: readonly string[] }, { username }: Account): boolean {
  const name = username.toLowerCase();
  return usernames.some((one) => one.toLowerCase() === name);
}

/** The scopes of an account's roles here: none unless administrators of the center are accepted. */
export function toAccountScopes(
  { administrators }: AccessSettings,
  { adminScopes = [] }: Account,
): ReadonlySet<AdminScope> {
  return pickScopes("monitor", administrators.who === "admins" ? adminScopes : []);
}

/** The rights of an account by these settings, whether or not the site is public; with a role it may look. */
export function toAccountRight(settings: AccessSettings, account: Account): Right {
  const { viewers, administrators } = settings;
  const administers =
    (administrators.who === "admins" && account.isAdmin) ||
    (administrators.who === "listed" && isListed(administrators, account));
  if (administers) return "administer";
  const looks = viewers.who === "everyone" || (viewers.who === "listed" && isListed(viewers, account));
  return looks || toAccountScopes(settings, account).size > 0 ? "view" : "nothing";
}

/** Settings and tokens as of the last {@link Access.take}. */
export class Access {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #listeners: (() => void)[] = [];
  readonly #uses = new Map<string, number>();
  #tokens = new Map<string, AccessTokenRecord>();
  #settings: AccessSettings;

  constructor({ store, clock, settings }: { store: Store; clock: Clock; settings: AccessSettings }) {
    this.#store = store;
    this.#clock = clock;
    this.#settings = settings;
  }

  get settings(): AccessSettings {
    return this.#settings;
  }

  /** The rights without a credential. */
  get strangersRight(): Right {
    return this.#settings.isPrivate ? "nothing" : "view";
  }

  /** Whether accounts of the auth center can sign in at all. */
  get takesAccounts(): boolean {
    return this.#settings.viewers.who !== "nobody" || this.#settings.administrators.who !== "nobody";
  }

  /** Calls back after every change of settings or tokens, and when {@link announce} is called. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Announces that a session has ended. */
  announce(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Applies stored settings and tokens. Throws what the store throws. */
  async take(settings: AccessSettings): Promise<void> {
    const { items } = await this.#store.read((tx) => tx.list(accessTokens, "id", { limit: MAX_TOKENS }));
    const isSame =
      JSON.stringify(settings) === JSON.stringify(this.#settings) &&
      items.length === this.#tokens.size &&
      items.every(({ id }) => this.#tokens.has(id));
    this.#settings = settings;
    this.#tokens = new Map(items.map((token) => [token.id, token]));
    if (!isSame) this.announce();
  }

  rightOfAccount(account: Account): Right {
    return toAccountRight(this.#settings, account);
  }

  scopesOfAccount(account: Account): ReadonlySet<AdminScope> {
    return toAccountScopes(this.#settings, account);
  }

  /** The token whose hash this is, when it counts for `scope` now; notes that it was used. */
  useToken(id: string, scope: TokenScope): AccessTokenRecord | undefined {
    const token = this.#tokens.get(id);
    const now = this.#clock.now();
    if (token === undefined || token.scope !== scope || (token.expiresAt ?? Infinity) <= now)
      return undefined;
    this.#uses.set(id, now);
    return token;
  }

  /** Writes down when tokens were used; call it every minute. Throws what the store throws. */
  async sweep(): Promise<void> {
    const due = [...this.#uses].filter(
      ([id, usedAt]) => usedAt - (this.#tokens.get(id)?.lastUsedAt ?? -Infinity) >= USE_MS,
    );
    this.#uses.clear();
    if (due.length === 0) return;
    await this.#store.transact(async (tx) => {
      for (const [id, lastUsedAt] of due) {
        const token = await tx.get(accessTokens, id);
        if (token !== undefined) this.#tokens.set(id, await tx.put(accessTokens, { ...token, lastUsedAt }));
      }
    });
  }
}
