/** A real SMTP server on a free loopback port that takes mails, refuses them, hangs or hangs up, as a suite tells it. */
import type { AddressInfo, Socket } from "node:net";
import { type SMTPServerOptions, SMTPServer } from "smtp-server";
import { cert, key } from "./tls-pair.ts";

export type SmtpBehaviour =
  | "normal"
  /** Never greets. */
  | "hang"
  /** Takes the whole mail and says nothing. */
  | "hang-after-data"
  | "4xx-at-rcpt"
  | "5xx-at-rcpt"
  | "5xx-at-mail"
  | "5xx-after-data"
  | "disconnect-in-data"
  /** Requires a sign-in that was not offered. */
  | "530-at-mail";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly wasEncrypted: boolean;
}

export interface SmtpPeer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Connections that were made so far. */
  readonly connections: () => number;
  behave(behaviour: SmtpBehaviour): void;
  close(): Promise<void>;
}

export interface SmtpPeerOptions {
  readonly behaviour?: SmtpBehaviour;
  /** Encrypted from the first byte, able to STARTTLS, or neither (default). */
  readonly security?: "tls" | "starttls" | "none";
  /** The only accepted ones; without them none are required. */
  readonly credentials?: { readonly user: string; readonly password: string };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

const atMail: Partial<Record<SmtpBehaviour, Error>> = {
  "5xx-at-mail": refusal(553, "5.7.1 Sender <noreply@shop.example> is not yours"),
  "530-at-mail": refusal(530, "5.7.0 Authentication required"),
};

const atRcpt: Partial<Record<SmtpBehaviour, Error>> = {
  "4xx-at-rcpt": refusal(450, "4.2.1 Mailbox busy"),
  "5xx-at-rcpt": refusal(550, "5.1.1 No such user here"),
};

/** Starts a peer. */
export async function startSmtpPeer(options: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  let behaviour = options.behaviour ?? "normal";
  const { security = "none", credentials } = options;
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const handlers: SMTPServerOptions = {
    onConnect: (_session, done) => {
      if (behaviour !== "hang") done();
    },
    onAuth: ({ username, password }, _session, done) => {
      if (username === credentials?.user && password === credentials?.password)
        done(null, { user: username });
      // Quotes what it was given, as some servers do.
      else done(refusal(535, `5.7.8 Wrong credentials ${username}/${password}`));
    },
    onMailFrom: (_address, _session, done) => done(atMail[behaviour]),
    onRcptTo: (_address, _session, done) => done(atRcpt[behaviour]),
    onData: (stream, session, done) => {
      if (behaviour === "disconnect-in-data") {
        for (const socket of sockets) socket.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        if (behaviour === "hang-after-data") return;
        if (behaviour === "5xx-after-data")
          return done(refusal(554, `5.6.0 Refused for its content: ${raw}`));
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          wasEncrypted: session.secure,
        });
        done();
      });
    },
  };
  const server = new SMTPServer({
    ...handlers,
    secure: security === "tls",
    key,
    cert,
    disabledCommands: [
      ...(security === "starttls" ? [] : ["STARTTLS"]),
      ...(credentials === undefined ? ["AUTH"] : []),
    ],
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
  });
  // Clients that hang up or refuse the certificate are what these suites are about.
  server.on("error", () => undefined);
  server.server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // `as`: a listener on a port has an address of this shape.
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    connections: () => connections,
    behave: (next) => {
      behaviour = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
