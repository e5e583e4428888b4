/** People with accounts: they register, sign in, renew their tokens, change their passwords, and sign out. */
import { z } from "zod";
import { type Answer, type Call, Client, type ClientParts, Violation } from "../world/client.ts";
import type { WorkingDay } from "../world/working-day.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";

export const AUTH_PORT = 8_082;

const tokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string() });
type Tokens = z.infer<typeof tokensSchema>;

/** What a person knows of the account. */
interface Account {
  isRegistered: boolean;
  password: string;
  /** A new one, of which it is not known whether it was set. */
  perhaps?: string | undefined;
  /** The passwords before: none of them may open the account again. */
  readonly former: string[];
  tokens?: Tokens | undefined;
  /** Tokens whose sign-out was acknowledged. */
  readonly ended: string[];
}

/** Sets the auth center up, before there is any trouble. @throws Violation */
export async function prepareAccounts(parts: ClientParts): Promise<void> {
  const staff = new Client(parts, { name: "staff", port: AUTH_PORT, from: "10.9.9.9" });
  const answer = await staff.insist("/api/admin/settings/registration", {
    method: "PATCH",
    headers: { "x-admin-token": ADMIN_TOKEN },
    body: { emailVerification: "off", maxPerAddressPerDay: 100_000, failuresPerAddress: 1_000 },
  });
  if (answer?.status !== 200) throw new Violation(`The settings were refused: ${JSON.stringify(answer)}`);
}

export class Person {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #client: Client;
  readonly #name: string;
  readonly #account: Account;
  #count = 0;
  acknowledged = 0;

  constructor(parts: ClientParts & { readonly pauseMs: number }, number: number) {
    this.#parts = parts;
    this.#name = `person${number}`;
    this.#client = new Client(parts, { name: this.#name, port: AUTH_PORT, from: `10.1.0.${number}` });
    this.#account = { isRegistered: false, password: this.#newPassword(), former: [], ended: [] };
  }

  #newPassword(): string {
    this.#count += 1;
    return `a long sentence of ${this.#name} with the number ${this.#count}`;
  }

  async live(day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    while (await day.rest(random.wait(pauseMs))) await this.#act();
  }

  async #act(): Promise<void> {
    const { random } = this.#parts;
    const account = this.#account;
    if (!account.isRegistered) return this.#register();
    if (account.tokens === undefined) return this.#signIn();
    const mind = random.next();
    if (mind < 0.45) return this.#refresh(account.tokens);
    if (mind < 0.65) return this.#validate(account.tokens);
    if (mind < 0.85) return this.#changePassword(account.tokens);
    return this.#signOut(account.tokens);
  }

  #post(path: string, body: object, more: Call = {}, tries?: number): Promise<Answer | undefined> {
    return this.#client.insist(`/api/auth/${path}`, { method: "POST", body, ...more }, tries);
  }

  #take(answer: Answer): void {
    this.#account.tokens = tokensSchema.parse(answer.json);
    this.acknowledged += 1;
  }

  async #register(): Promise<void> {
    const account = this.#account;
    const [username, password] = [this.#name, account.password];
    const answer = await this.#post("register", { username, email: `${username}@example.org`, password });
    if (answer === undefined) return;
    // An earlier request, of which there was no answer, had created it.
    if (answer.status === 201 || answer.status === 409) account.isRegistered = true;
    else throw new Violation(`${username} could not register: ${JSON.stringify(answer)}`);
    if (answer.status === 201) this.#take(answer);
  }

  #tryPassword(password: string): Promise<Answer | undefined> {
    return this.#post("login", { identifier: this.#name, password });
  }

  async #signIn(): Promise<void> {
    const account = this.#account;
    const { perhaps } = account;
    if (perhaps !== undefined) {
      const answer = await this.#tryPassword(perhaps);
      if (answer === undefined) return;
      account.perhaps = undefined;
      if (answer.status === 200) {
        account.former.push(account.password);
        account.password = perhaps;
        return this.#take(answer);
      }
    }
    const answer = await this.#tryPassword(account.password);
    if (answer === undefined) return;
    if (answer.status !== 200) throw new Violation(`${this.#name} cannot sign in: ${JSON.stringify(answer)}`);
    this.#take(answer);
  }

  async #refresh({ refreshToken }: Tokens): Promise<void> {
    const answer = await this.#post("refresh", { refreshToken });
    // It may be used up without an answer; then the session is over.
    if (answer?.status === 200) this.#take(answer);
    else this.#account.tokens = undefined;
  }

  #ask(accessToken: string): Promise<Answer | undefined> {
    return this.#client.insist("/api/auth/validate", { headers: { authorization: `Bearer ${accessToken}` } });
  }

  async #validate({ refreshToken }: Tokens): Promise<void> {
    const renewed = await this.#post("refresh", { refreshToken }, {}, 1);
    if (renewed?.status !== 200) {
      this.#account.tokens = undefined;
      return;
    }
    this.#take(renewed);
    const { accessToken } = tokensSchema.parse(renewed.json);
    const answer = await this.#ask(accessToken);
    if (answer !== undefined && answer.status !== 200)
      throw new Violation(`${this.#name} got a token that is not valid: ${JSON.stringify(answer)}`);
  }

  async #changePassword({ accessToken }: Tokens): Promise<void> {
    const account = this.#account;
    const password = this.#newPassword();
    const headers = { authorization: `Bearer ${accessToken}` };
    const body = { currentPassword: account.password, password };
    account.perhaps = password;
    const answer = await this.#post("password/change", body, { headers }, 1);
    account.tokens = undefined;
    if (answer?.status !== 200) return;
    account.perhaps = undefined;
    account.former.push(account.password);
    account.password = password;
    this.#take(answer);
  }

  async #signOut({ accessToken }: Tokens): Promise<void> {
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = await this.#client.insist("/api/auth/logout", { method: "POST", headers });
    this.#account.tokens = undefined;
    if (answer?.status !== 204) return;
    this.acknowledged += 1;
    this.#account.ended.push(accessToken);
  }

  /** After all trouble: the account opens with its password alone, and what has ended stays ended. @throws Violation */
  async check(): Promise<void> {
    const account = this.#account;
    if (!account.isRegistered) return;
    await this.#signIn();
    if (account.tokens === undefined) throw new Violation(`${this.#name} got no answer to a sign-in`);
    for (const accessToken of account.ended.slice(-3)) {
      const answer = await this.#ask(accessToken);
      if (answer?.status !== 401)
        throw new Violation(`${this.#name} signed out, and the token is ${answer?.status}`);
    }
    const last = account.former.at(-1);
    if (last === undefined) return;
    const answer = await this.#tryPassword(last);
    if (answer?.status !== 401)
      throw new Violation(`${this.#name}: a former password gets ${answer?.status}`);
  }
}
