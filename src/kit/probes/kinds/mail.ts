/** Whether a mail server greets as its protocol says, with TLS and STARTTLS. */
import { z } from "zod";
import { type Conversation, converse, tlsSettings } from "../conversation.ts";
import { describePlace, hostSchema, portSchema } from "../fields.ts";
import { type ProbeForm, type ProbeKind, noSecrets } from "../probe.ts";
import { ProbeFailure, runTry } from "../try.ts";

const protocols = ["smtp", "imap", "pop3"] as const;
type Protocol = (typeof protocols)[number];

const settings = () => ({
  protocol: z.enum(protocols).default("smtp"),
  host: hostSchema,
  port: portSchema.default(587),
  security: z.enum(["starttls", "tls", "none"]).default("starttls"),
  ...tlsSettings(),
});

/** An answer of SMTP may have several lines: "250-…" goes on, "250 …" ends it (RFC 5321 section 4.2.1). */
async function readReply(talk: Conversation): Promise<string> {
  for (;;) {
    const line = await talk.line();
    if (!/^\d{3}(?:[ -]|$)/u.test(line)) throw strange(line);
    if (line[3] !== "-") return line;
  }
}

function strange(line: string): ProbeFailure {
  return new ProbeFailure("protocol", `The server does not speak this protocol: "${line}"`);
}

function expectReply(line: string, good: RegExp): void {
  if (!good.test(line)) throw new ProbeFailure("status", `The server answered "${line}"`);
}

/** How each greets, and how it goes on to TLS; each gives the greeting. */
const greetings: Readonly<Record<Protocol, (talk: Conversation) => Promise<string>>> = {
  smtp: async (talk) => {
    const greeting = await readReply(talk);
    expectReply(greeting, /^220/u);
    talk.send("EHLO trivet.invalid\r\n");
    expectReply(await readReply(talk), /^250/u);
    return greeting;
  },
  imap: async (talk) => {
    const greeting = await talk.line();
    if (!greeting.startsWith("* ")) throw strange(greeting);
    // RFC 9051 section 7.1: OK, PREAUTH, or BYE when it will not serve.
    expectReply(greeting, /^\* (?:OK|PREAUTH)/iu);
    return greeting;
  },
  pop3: async (talk) => {
    const greeting = await talk.line();
    if (!/^[+-]/u.test(greeting)) throw strange(greeting);
    expectReply(greeting, /^\+OK/iu);
    return greeting;
  },
};

/** RFC 3207, RFC 9051 section 6.2.1 and RFC 2595 section 4. */
const upgrades: Readonly<Record<Protocol, (talk: Conversation) => Promise<string>>> = {
  smtp: (talk) => {
    talk.send("STARTTLS\r\n");
    return readReply(talk);
  },
  imap: async (talk) => {
    talk.send("a1 STARTTLS\r\n");
    for (;;) {
      const line = await talk.line();
      if (!line.startsWith("* ")) return line;
    }
  },
  pop3: (talk) => {
    talk.send("STLS\r\n");
    return talk.line();
  },
};

const farewells: Readonly<Record<Protocol, string>> = {
  smtp: "QUIT\r\n",
  imap: "a2 LOGOUT\r\n",
  pop3: "QUIT\r\n",
};

export const mail: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof noSecrets>> = {
  settings,
  secrets: noSecrets,
  describe: ({ protocol, host, port }) => `${protocol.toUpperCase()} ${describePlace({ host, port })}`,
  address: describePlace,
  host: ({ host }) => host,
  probe: ({ protocol, port, security, ...wishes }, context) =>
    runTry(context, (run) =>
      converse(run, { ...wishes, port, isTls: security === "tls" }, async (talk) => {
        const greeting = await greetings[protocol](talk);
        if (security === "starttls") {
          const answer = await upgrades[protocol](talk);
          if (!/^(?:220|a1 OK|\+OK)/iu.test(answer))
            throw new ProbeFailure("tls", `The server refuses STARTTLS: "${answer}"`);
          await talk.startTls(wishes);
        }
        talk.send(farewells[protocol]);
        return greeting;
      }),
    ),
};

export const mailForm: ProbeForm<ReturnType<typeof settings>> = {
  icon: "mail",
  name: "{host}",
  fields: {
    protocol: {},
    host: { placeholder: "mail.example.org" },
    port: {},
    security: {},
    certificateDays: { folded: true },
    ignoresCertificate: { folded: true },
  },
};
