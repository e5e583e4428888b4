/** GET of JSON over a Unix socket, as Docker and Podman serve it. */
import { request } from "node:http";

const TIMEOUT_MS = 5_000;
/** Enough for some thousand containers. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Requests one path. @throws Error on a timeout, or for a status other than 200 */
export type GetJson = (path: string) => Promise<unknown>;

/** The client of the socket at `socketPath`. */
export function createSocketHttp(socketPath: string): GetJson {
  return (path) =>
    new Promise((resolve, reject) => {
      // For the whole response: a socket timeout would restart with each byte.
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const asked = request({ socketPath, path, signal, headers: { host: "localhost" } }, (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_BYTES)
            answer.destroy(new Error(`The response of "${path}" is larger than ${MAX_BYTES} bytes`));
          else chunks.push(chunk);
        });
        answer.on("error", reject);
        answer.on("end", () => {
          if (answer.statusCode !== 200) {
            reject(new Error(`"${path}" responded with status ${answer.statusCode ?? 0}`));
            return;
          }
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")));
          } catch (error) {
            reject(new Error(`"${path}" did not respond with JSON`, { cause: error }));
          }
        });
      });
      asked.on("error", reject);
      asked.end();
    });
}
