/** People who use two applications with OpenID Connect, thieves of their tokens, and lost answers. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { SHOP_PORT } from "../shop/staff.ts";
import { Browser } from "../world/browser.ts";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { Application, Family, readClaims } from "./application.ts";
import { AUTH_PORT } from "./people.ts";

const DAY_MS = 86_400_000;
const MEMBERS = 2;
const VERIFIER = "a-verifier-that-nobody-guesses-with-43-letters";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
/** Mean time between two actions of a member, as a multiple of that between two actions of a person. */
const PAUSES = 2;

const secretSchema = z.object({ secret: z.string() });
const openedSchema = z.object({ user: z.object({ id: z.string() }) });

/** A person with a browser, and the sign-ins at applications. */
interface Member {
  readonly name: string;
  id: string;
  browser: Browser;
  readonly families: Map<Application, Family>;
}

export class Members implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #client: Client;
  readonly #members: readonly Member[];
  #applications: readonly Application[] = [];
  #count = 0;
  acknowledged = 0;

  constructor(parts: ClientParts & { readonly pauseMs: number }) {
    this.#parts = parts;
    this.#client = new Client(parts, { name: "member", port: AUTH_PORT, from: "10.6.1.1" });
    this.#members = Array.from({ length: MEMBERS }, (_, number) => ({
      name: `member${number}`,
      id: "",
      browser: this.#openBrowser(number),
      families: new Map<Application, Family>(),
    }));
  }

  #openBrowser(number: number): Browser {
    const place = { name: `browser${number}`, port: AUTH_PORT, from: `10.6.2.${number}` };
    return new Browser(this.#parts, place);
  }

  async prepare(): Promise<void> {
    const headers = { "x-admin-token": ADMIN_TOKEN };
    const applications: Application[] = [];
    for (const [number, id] of ["notes", "wiki"].entries()) {
      const body = { id, name: id, redirectUris: [`https://${id}.example/callback`] };
      const answer = await this.#client.insist("/api/admin/clients", { method: "POST", headers, body });
      const { secret } = secretSchema.parse(answer?.json);
      applications.push(new Application(this.#parts, { id, secret }, number));
    }
    this.#applications = applications;
    for (const member of this.#members) {
      const { name: username } = member;
      const body = { username, email: `${username}@example.org`, password: this.#toPassword(member) };
      const answer = await this.#client.insist("/api/auth/register", { method: "POST", body });
      member.id = openedSchema.parse(answer?.json).user.id;
    }
  }

  #toPassword({ name }: Member): string {
    return `a long sentence of ${name}`;
  }

  work(day: WorkingDay): Promise<void>[] {
    return this.#members.flatMap((member) =>
      this.#applications.map((application) => this.#live(member, application, day)),
    );
  }

  async #live(member: Member, application: Application, day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    while (await day.rest(random.wait(PAUSES * pauseMs))) {
      const family = member.families.get(application);
      if (family === undefined || family.isOver) await this.#enter(member, application);
      else await this.#act(application, family);
    }
  }

  /** Signs in with the browser, and brings the application the code. */
  async #enter(member: Member, application: Application): Promise<void> {
    const { random } = this.#parts;
    member.families.delete(application);
    this.#count += 1;
    const nonce = `nonce-${this.#count}`;
    const code = await this.#askForCode(member, application, nonce);
    if (code === undefined) return;
    const [other] = this.#applications.filter((each) => each !== application);
    if (random.chance(0.1) && other !== undefined) {
      const stolen = await other.redeem(code, VERIFIER);
      if (typeof stolen === "object")
        throw new Violation(`${other.id} got tokens for a code of ${application.id}`);
    }
    const isTwice = random.chance(0.2);
    const tries = Array.from({ length: isTwice ? 2 : 1 }, () => application.redeem(code, VERIFIER));
    const answers = await Promise.all(tries);
    if (answers.includes(undefined)) answers.push(await application.redeem(code, VERIFIER));
    const granted = answers.filter((answer) => typeof answer === "object");
    const [tokens] = granted;
    if (granted.length > 1) throw new Violation(`A code of ${application.id} was used twice`);
    // The code lasts a minute, and one that is not answered may have been used.
    if (tokens === undefined) return;
    this.acknowledged += 1;
    const claims = readClaims(tokens.id_token);
    if (claims.aud !== application.id || claims.nonce !== nonce || claims.sub !== member.id)
      throw new Violation(`${application.id} got an ID token of someone else: ${JSON.stringify(claims)}`);
    const family = new Family(tokens);
    // One that comes again after ten seconds ends what it has opened.
    family.isDoubtful = answers.length > 1;
    member.families.set(application, family);
    if (!random.chance(0.1)) return;
    const again = await application.redeem(code, `${VERIFIER}-of-a-thief`);
    if (typeof again === "object") throw new Violation("A thief got tokens for a code without its verifier");
    family.isDoubtful = true;
    if (again === "refused") await this.#end(application, family, "A code came again");
  }

  async #askForCode(member: Member, { id, redirectUri }: Application, nonce: string) {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: id,
      redirect_uri: redirectUri,
      scope: "openid",
      state: nonce,
      nonce,
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
    });
    const path = `/oauth/authorize?${query.toString()}`;
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await member.browser.get(path);
      if (answer === undefined) return undefined;
      const onward = /^0; url=(.+)$/u.exec(answer.headers.get("refresh") ?? "")?.[1];
      if (onward !== undefined) {
        const url = new URL(onward);
        if (`${url.origin}${url.pathname}` !== redirectUri || url.searchParams.get("state") !== nonce)
          throw new Violation(`${id}: the browser was sent to ${onward}`);
        return url.searchParams.get("code") ?? undefined;
      }
      await member.browser.get("/sign-in");
      const form = { identifier: member.name, password: this.#toPassword(member) };
      await member.browser.post("/sign-in", form);
    }
    return undefined;
  }

  async #act(application: Application, family: Family): Promise<void> {
    const mind = this.#parts.random.next();
    if (mind < 0.55) return this.#refresh(application, family, 1);
    if (mind < 0.7) return this.#refresh(application, family, 2);
    if (mind < 0.8) return this.#stray(application, family);
    if (mind < 0.9) return this.#steal(application, family);
    if (await application.revoke(family.current))
      await this.#end(application, family, "The tokens were revoked");
    else family.isDoubtful = true;
  }

  /** Renews the tokens, with one request or several at once; an answer that is lost is asked for again. */
  async #refresh(application: Application, family: Family, requests: number): Promise<void> {
    const spent = family.current;
    const before = family.isDoubtful;
    const answers = await Promise.all(Array.from({ length: requests }, () => application.refresh(spent)));
    if (answers.includes(undefined)) {
      family.isDoubtful = true;
      answers.push(await application.refresh(spent));
    }
    for (const answer of answers) if (typeof answer === "object") family.take(spent, answer);
    const isRefused = answers.includes("refused");
    this.acknowledged += answers.length;
    if (!isRefused) {
      if (!answers.includes(undefined)) family.isDoubtful = false;
      return;
    }
    // Sessions of browsers end after 14 days without use, and after 30 days.
    const mayHaveEnded = this.#parts.kernel.nowMs > 13 * DAY_MS;
    if (answers.length === 1 && !before && !mayHaveEnded)
      throw new Violation(`${application.id}: a refresh token is lost`);
    // It came again after more than 30 seconds, and so all of them are over.
    await this.#end(application, family, "A refresh token was refused");
  }

  /** Tokens where they do not belong. */
  async #stray(application: Application, { current, accessToken }: Family): Promise<void> {
    const [other] = this.#applications.filter((each) => each !== application);
    const stolen = await other?.refresh(current);
    if (typeof stolen === "object")
      throw new Violation(`A refresh token of ${application.id} was good at another application`);
    const bearer = { authorization: `Bearer ${accessToken}` };
    const shop = new Client(this.#parts, { name: "stray", port: SHOP_PORT, from: "10.6.3.1" });
    const refused = [
      await this.#client.insist("/api/auth/sessions", { headers: bearer }, 1),
      await this.#client.insist("/api/auth/refresh", { method: "POST", body: { refreshToken: current } }, 1),
      await shop.insist("/api/orders", { headers: bearer }, 1),
    ];
    for (const answer of refused)
      if (answer !== undefined && answer.status !== 401 && answer.status !== 403)
        throw new Violation(`A token of ${application.id} opened something else: ${JSON.stringify(answer)}`);
  }

  /** Someone has a refresh token that was spent long ago. */
  async #steal(application: Application, family: Family): Promise<void> {
    const old = family.refreshTokens.at(-3);
    if (old === undefined) return;
    const stolen = await application.refresh(old);
    if (typeof stolen === "object")
      throw new Violation(`${application.id}: a spent refresh token was good again`);
    if (stolen === "refused") await this.#end(application, family, "A spent refresh token came again");
    else family.isDoubtful = true;
  }

  /** After an end that was acknowledged, nothing of the sign-in is good. */
  async #end(application: Application, family: Family, why: string): Promise<void> {
    family.isOver = true;
    const renewed = await application.refresh(family.current);
    if (typeof renewed === "object") throw new Violation(`${why}, and ${application.id} got new ones`);
    if ((await application.isOpen(family.accessToken)) === true)
      throw new Violation(`${why}, and an access token of ${application.id} still opens the account`);
  }

  async check(): Promise<void> {
    for (const { families } of this.#members)
      for (const [application, family] of families)
        if (!family.isOver) {
          await this.#refresh(application, family, 1);
          await this.#steal(application, family);
        }
  }
}
