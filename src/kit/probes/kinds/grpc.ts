/** Whether a gRPC server says that it, or one of its services, is serving: grpc.health.v1.Health/Check. */
import { type ClientHttp2Session, type IncomingHttpHeaders, connect } from "node:http2";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { z } from "zod";
import { toServerName } from "../certificate.ts";
import { type FoundCertificate, judgeCertificate, tlsSettings } from "../conversation.ts";
import { describePlace, hostSchema, portSchema } from "../fields.ts";
import { openTcp, openTls } from "../open-socket.ts";
import { type ProbeForm, type ProbeKind, noSecrets } from "../probe.ts";
import { ProbeFailure, runTry, type Try } from "../try.ts";

const settings = () => ({
  host: hostSchema,
  port: portSchema.default(443),
  /** Whether the connection is encrypted. */
  tls: z.boolean().default(true),
  /** Full name, such as acme.orders.v1.Orders; empty: the server as a whole. */
  service: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_.-]{0,200}$/u, "must be the full name of a service, such as acme.orders.v1.Orders")
    .default(""),
  ...tlsSettings(),
});

const MAX_ANSWER = 16_384;
const servingStatuses = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"];
const statuses: Readonly<Record<number, string>> = {
  5: "The server does not know this service",
  7: "The server refuses the call (PERMISSION_DENIED)",
  12: "The server does not implement grpc.health.v1.Health",
  14: "The server is unavailable (UNAVAILABLE)",
  16: "The server requires credentials (UNAUTHENTICATED)",
};

/** HealthCheckRequest { service = 1 } in a frame of gRPC: 1 byte "not compressed", 4 bytes length. */
function toRequest(service: string): Buffer {
  const name = Buffer.from(service);
  const body = name.length === 0 ? Buffer.alloc(0) : Buffer.concat([toField(name.length), name]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** Tag of field 1 with a length, which is under 256: one or two bytes of a varint. */
function toField(length: number): Buffer {
  return length < 128 ? Buffer.from([0x0a, length]) : Buffer.from([0x0a, (length & 127) | 128, length >> 7]);
}

interface Answer {
  readonly status: number;
  readonly message: string;
  readonly body: Buffer;
}

/** One unary call on an open session. */
function call(session: ClientHttp2Session, path: string, request: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    const parts: Buffer[] = [];
    let size = 0;
    let http = 0;
    let status: string | undefined;
    let message = "";
    // The status is in the trailers, or in the headers when there is no body.
    const note = (fields: IncomingHttpHeaders): void => {
      status ??= [fields["grpc-status"]].flat()[0];
      message ||= [fields["grpc-message"]].flat()[0] ?? "";
    };
    stream.on("response", (headers) => {
      http = headers[":status"] ?? 0;
      note(headers);
    });
    stream.on("trailers", note);
    stream.on("data", (part: Buffer) => {
      size += part.length;
      if (size > MAX_ANSWER) stream.close();
      else parts.push(part);
    });
    stream.on("error", reject);
    stream.on("end", () => {
      if (http !== 200 || status === undefined)
        return reject(new ProbeFailure("protocol", `The server does not speak gRPC (HTTP ${http})`));
      resolve({
        status: Number(status),
        message,
        body: Buffer.concat(parts),
      });
    });
    stream.end(request);
  });
}

function judge({ status, message, body }: Answer): string {
  if (status !== 0)
    throw new ProbeFailure(
      "status",
      statuses[status] ?? `The server answered with status ${status} ${message}`,
    );
  // HealthCheckResponse { status = 1 }: absent is 0.
  const serving = servingStatuses[body.length >= 7 && body[5] === 0x08 ? (body[6] ?? 0) : 0] ?? "UNKNOWN";
  if (serving !== "SERVING") throw new ProbeFailure("status", `The server answered ${serving}`);
  return serving;
}

type Wishes = z.infer<z.ZodObject<ReturnType<typeof settings>>>;

/** A socket for HTTP/2. */
async function open(run: Try, { host, port, tls }: Wishes): Promise<Socket> {
  const addresses = await run.findAddresses(host);
  if (!tls) return (await openTcp(addresses, { run, port })).socket;
  const names = { servername: toServerName(host), ALPNProtocols: ["h2"] };
  const { socket } = await openTls(addresses, { run, port, ...names });
  run.finish("tls");
  return socket;
}

export const grpc: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof noSecrets>> = {
  settings,
  secrets: noSecrets,
  describe: (target) => `gRPC ${describePlace(target)}${target.service === "" ? "" : ` ${target.service}`}`,
  address: ({ host, port, service }) => describePlace({ host, port }) + (service === "" ? "" : `/${service}`),
  host: ({ host }) => host,
  probe: (target, context) =>
    runTry(context, async (run) => {
      const socket = await open(run, target);
      let found: FoundCertificate = {};
      let session: ClientHttp2Session | undefined;
      try {
        if (socket instanceof TLSSocket) found = judgeCertificate(run, socket, target);
        run.begin("firstByte");
        const opened = connect(`${target.tls ? "https" : "http"}://${describePlace(target)}`, {
          createConnection: () => socket,
        });
        session = opened;
        const failed = new Promise<never>((_resolve, reject) => opened.on("error", reject));
        const answered = call(opened, "/grpc.health.v1.Health/Check", toRequest(target.service));
        const detail = judge(await run.race(Promise.race([answered, failed])));
        run.finish("firstByte");
        const { certificate, ending } = found;
        return { detail, latencyMs: run.elapsedMs(), ...(certificate && { certificate }), ...ending };
      } catch (error) {
        const { fault, message, found: known } = run.toFailure(error);
        const { certificate } = found;
        throw new ProbeFailure(fault, message, { ...(certificate && { certificate }), ...known });
      } finally {
        session?.destroy();
        socket.destroy();
      }
    }),
};

export const grpcForm: ProbeForm<ReturnType<typeof settings>> = {
  icon: "pulse",
  name: "{host}:{port}",
  fields: {
    host: { placeholder: "api.example.org" },
    port: {},
    tls: {},
    service: { placeholder: "acme.orders.v1.Orders" },
    certificateDays: { folded: true },
    ignoresCertificate: { folded: true },
  },
};
