/** A mail server that is away, hangs, or refuses: people get their answer at once, the mail waits, the code still works. */
import { connect } from "node:net";
import { type SmtpPeer, startSmtpPeer } from "../../support/smtp-peer.ts";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { startCareless } from "./careless.ts";
import { type ChaosCase, type Found, type Surroundings, judge, pause, waitFor } from "./case.ts";
import { type Answer, ask, textAt } from "./requests.ts";
import { createSubject } from "./subject.ts";

const ANSWER_LIMIT_MS = 500;
const MAIL_LIMIT_MS = 20_000;
const PASSWORD = "correct horse battery staple";

/** Finds a closed port. */
async function findClosedPort(): Promise<number> {
  const peer = await startSmtpPeer();
  const { port } = peer;
  await peer.close();
  const isOpen = await new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
  if (isOpen) throw new Error(`port ${port} was taken again`);
  return port;
}

const register = (url: string, name: string): Promise<Answer> =>
  ask(`${url}/api/auth/register`, {
    method: "POST",
    headers: { "x-forwarded-for": `10.1.0.${name.length}` },
    body: { username: name, email: `${name}@example.org`, password: PASSWORD },
  });

/** The code in the email to a user, or undefined if there is none. */
function findCode(peer: SmtpPeer, name: string): string | undefined {
  const mail = peer.mails.findLast(({ to }) => to.includes(`${name}@example.org`));
  return /\b(\d{4} ?\d{4}|\d{6})\b/u.exec(
    mail?.raw
      .split(/\r?\n\r?\n/u)
      .slice(1)
      .join("\n") ?? "",
  )?.[1];
}

/** Makes waiting and rejected emails due now, as an administrator does once the server is repaired. */
async function retryAll(url: string): Promise<void> {
  const headers = { "x-admin-token": ADMIN_TOKEN };
  const { json } = await ask(`${url}/api/admin/outbox`, { headers });
  const items: unknown = Reflect.get(Object(json), "items");
  for (const item of Array.isArray(items) ? items : []) {
    const state = textAt(item, "state");
    if (state === "failed" || state === "waiting")
      await ask(`${url}/api/admin/outbox/${textAt(item, "id")}/retry`, { method: "POST", headers, body: {} });
  }
}

async function harmMails(around: Surroundings): Promise<Found> {
  const peer = await startSmtpPeer();
  around.onEnd(() => peer.close());
  const subject = await createSubject(around, {
    services: ["auth"],
    env: { SMTP_URL: `smtp://127.0.0.1:${peer.port}?from=a@example.org&security=none` },
  });
  await subject.start();
  const url = subject.url("auth");
  const problems: string[] = [];
  const slow: number[] = [];
  // The first hash of a process takes its time.
  await register(url, "warm");
  const behaviours = ["hang", "4xx-at-rcpt", "5xx-at-rcpt", "disconnect-in-data"] as const;
  for (const [index, behaviour] of behaviours.entries()) {
    peer.behave(behaviour);
    const name = `${"p".repeat(index + 2)}erson`;
    const { status, ms, json } = await register(url, name);
    slow.push(ms);
    if (status !== 202) problems.push(`${behaviour}: registering answered ${status} ${JSON.stringify(json)}`);
    if (ms > around.within(ANSWER_LIMIT_MS))
      problems.push(`${behaviour}: the answer took ${ms.toFixed(0)} ms`);
    await pause(1_500); // the outbox looks each second
    if (findCode(peer, name) !== undefined) problems.push(`${behaviour}: a mail went out`);
  }
  peer.behave("normal");
  let delivered = 0;
  for (const [index, behaviour] of behaviours.entries()) {
    const name = `${"p".repeat(index + 2)}erson`;
    const hasCome = async (): Promise<boolean> => {
      await retryAll(url);
      return findCode(peer, name) !== undefined;
    };
    if ((await waitFor(hasCome, { limitMs: around.within(MAIL_LIMIT_MS), everyMs: 1_000 })) === undefined) {
      problems.push(`${behaviour}: the mail did not come after the repair`);
      continue;
    }
    const body = { email: `${name}@example.org`, code: findCode(peer, name) ?? "" };
    const proved = await ask(`${url}/api/auth/email/verify`, { method: "POST", body });
    if (proved.status !== 200) problems.push(`${behaviour}: its code answered ${proved.status}`);
    else delivered += 1;
  }
  return judge(problems, {
    done: "a mail server that hangs, answers 4xx, 5xx, hangs up",
    acknowledged: `${behaviours.length} registrations`,
    found: `answers in ${Math.max(...slow).toFixed(0)} ms at most; ${delivered} mails after the repair, their codes work`,
  });
}

/** Away from the start: nothing listens. */
async function startWithoutServer(around: Surroundings): Promise<Found> {
  const port = await findClosedPort();
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}?from=a@example.org&security=none` };
  const subject = await createSubject(around, { services: ["auth"], env });
  await subject.start();
  await register(subject.url("auth"), "warm");
  const { status, ms } = await register(subject.url("auth"), "ann");
  await pause(1_500);
  const headers = { "x-admin-token": ADMIN_TOKEN };
  const { json } = await ask(`${subject.url("auth")}/api/admin/outbox`, { headers });
  const items: unknown = Reflect.get(Object(json), "items");
  const isWaiting = (Array.isArray(items) ? items : []).some(
    (item) => textAt(item, "to") === "ann@example.org" && textAt(item, "state") === "waiting",
  );
  return {
    isKept: status === 202 && ms <= around.within(ANSWER_LIMIT_MS) && isWaiting,
    done: "no mail server at all",
    acknowledged: "1 registration",
    found: `${status} in ${ms.toFixed(0)} ms; the mail ${isWaiting ? "waits" : "is not in the outbox"}`,
  };
}

async function harmCareless(around: Surroundings): Promise<Found> {
  const peer = await startSmtpPeer({ behaviour: "hang" });
  around.onEnd(() => peer.close());
  const server = await startCareless(around, "mails", { address: `smtp://127.0.0.1:${peer.port}` });
  const { status, ms } = await ask(server.url, { method: "POST", body: {}, limitMs: 3_000 });
  return {
    isKept: status === 200 && ms <= around.within(ANSWER_LIMIT_MS),
    done: "a mail server that hangs",
    acknowledged: "",
    found: status === 0 ? `no answer in ${ms.toFixed(0)} ms` : `${status} after ${ms.toFixed(0)} ms`,
  };
}

/** See the module's header. */
export const smtp: ChaosCase = {
  name: "smtp",
  promise: "Mail server down, slow, 4xx, 5xx: answers in 500 ms, mail waits, codes are not burnt",
  parts: [
    { name: "auth", run: harmMails },
    { name: "auth, nobody listens", isLong: true, run: startWithoutServer },
    { name: "mails sent before the answer", isControl: true, run: harmCareless },
  ],
};
