/** A question and its answer over UDP. */
import { createSocket } from "node:dgram";
import type { Try } from "./try.ts";

/** Sent again where no answer came: datagrams get lost. */
const TRIES = 3;

/**
 * The first answer from the address; others are ignored. A closed port is an error where the system
 * reports it (ECONNREFUSED). @throws the socket's error, and the run's when its time is over
 */
export async function askByDatagram(
  run: Try,
  { address, port, question }: { address: string; port: number; question: Uint8Array },
): Promise<Buffer> {
  const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
  const timers: ReturnType<typeof setTimeout>[] = [];
  run.begin("firstByte");
  try {
    return await run.race(
      new Promise<Buffer>((resolve, reject) => {
        socket.on("error", reject);
        socket.on("message", (message, from) => {
          if (from.port === port) resolve(message);
        });
        socket.connect(port, address, () => {
          const send = (): void => socket.send(question);
          for (let n = 1; n < TRIES; n += 1)
            timers.push(setTimeout(send, (run.context.timeoutMs * n) / TRIES));
          send();
        });
      }),
    );
  } finally {
    for (const timer of timers) clearTimeout(timer);
    socket.close();
    run.finish("firstByte");
  }
}
