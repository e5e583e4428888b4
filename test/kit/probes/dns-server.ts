/** A DNS server over UDP and TCP on one loopback port, which says what a suite tells it. */
import { Buffer } from "node:buffer";
import { createSocket } from "node:dgram";
import { createServer, type AddressInfo, type Socket } from "node:net";

export interface Question {
  readonly name: string;
  /** Number of the record type: 1 is A. */
  readonly type: number;
  readonly isTcp: boolean;
}

export interface DnsAnswer {
  /** Data of records of the requested type. */
  readonly records?: readonly Buffer[];
  /** 3: no such name; 5: refused. */
  readonly rcode?: number;
  /** Says that the rest is to be had over TCP. */
  readonly truncated?: boolean;
  /** Sent in place of a right message. */
  readonly raw?: Buffer;
  /** Of another question. */
  readonly wrongId?: boolean;
}

export interface DnsServer {
  readonly port: number;
  readonly questions: readonly Question[];
  close(): Promise<void>;
}

/** Labels of a name with their lengths. */
export function encodeName(name: string): Buffer {
  const labels = name.split(".").filter((label) => label !== "");
  return Buffer.concat([
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}

function readQuestion(query: Buffer): { name: string; type: number; bytes: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length !== 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString("latin1"));
    at += length + 1;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), bytes: query.subarray(12, at + 5) };
}

function encodeRecord(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function encodeAnswer(query: Buffer, answer: DnsAnswer): Buffer {
  if (answer.raw !== undefined) return answer.raw;
  const { type, bytes } = readQuestion(query);
  const { records = [], rcode = 0, truncated = false, wrongId = false } = answer;
  const head = Buffer.alloc(12);
  head.writeUInt16BE((query.readUInt16BE(0) + (wrongId ? 1 : 0)) & 0xffff, 0);
  head[2] = truncated ? 0x83 : 0x81;
  head[3] = 0x80 | rcode;
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, bytes, ...records.map((data) => encodeRecord(type, data))]);
}

type Answerer = (question: Question) => DnsAnswer | undefined;

/** Starts it; `answer` gives undefined where nothing is to be said. */
export async function serveDns(answer: Answerer): Promise<DnsServer> {
  const questions: Question[] = [];
  const reply = (query: Buffer, isTcp: boolean): Buffer | undefined => {
    const { name, type } = readQuestion(query);
    questions.push({ name, type, isTcp });
    const said = answer({ name, type, isTcp });
    return said === undefined ? undefined : encodeAnswer(query, said);
  };
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => {
      const said = reply(bytes.subarray(2), true);
      if (said === undefined) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(said.length, 0);
      socket.write(Buffer.concat([length, said]));
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  // `as`: a listener on a port has an address of this shape.
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket("udp4");
  udp.on("message", (query, from) => {
    const said = reply(query, false);
    if (said !== undefined) udp.send(said, from.port, from.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, "127.0.0.1", resolve));
  return {
    port,
    questions,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      udp.close();
      await new Promise<void>((resolve) => tcp.close(() => resolve()));
    },
  };
}
