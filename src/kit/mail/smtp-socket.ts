/** Connections to a mail server that settings name: every address behind the name is checked, and the connection made to a checked one. */
import { type Socket, connect, isIP } from "node:net";
import { lookUpAll } from "../outbound/look-up.ts";
import { findAddressFault, isLoopbackAddress } from "../outbound/allowed-networks.ts";
import type { SmtpRules } from "./smtp-rules.ts";
import type { SmtpSettings } from "./smtp-url.ts";
import { codeOf, textOf } from "../thrown.ts";

/** The rules do not let this server be used; the message is for an administrator. */
export class SmtpRefusal extends Error {
  override readonly name = "SmtpRefusal";
}

const MAX_ADDRESSES = 4;

const failure = (code: string, cause: unknown): Error =>
  Object.assign(new Error(textOf(cause)), { code, originalCode: codeOf(cause) ?? "", command: "CONN" });

/** All addresses of a server, each allowed. @throws SmtpRefusal; an error with the code EDNS */
export async function resolveServer(
  { host, security, user }: SmtpSettings,
  { lookup = lookUpAll, ...rules }: SmtpRules,
): Promise<readonly string[]> {
  const looked = isIP(host) === 0 ? lookup(host) : Promise.resolve([host]);
  const addresses = await looked.catch((error: unknown) => {
    throw failure("EDNS", error);
  });
  if (addresses.length === 0) throw failure("EDNS", new Error(`The name "${host}" has no address`));
  const fault = findAddressFault(host, { ...rules, addresses });
  if (fault !== undefined) throw new SmtpRefusal(fault);
  if (security === "none" && user !== undefined && !addresses.every(isLoopbackAddress))
    throw new SmtpRefusal(
      `The username and password are not sent to "${host}" without encryption. Set security to tls or starttls`,
    );
  return addresses.slice(0, MAX_ADDRESSES);
}

function open(address: string, { port, timeoutMs }: { port: number; timeoutMs: number }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => {
      fail(Object.assign(new Error("Connection timeout"), { code: "ETIMEDOUT" }));
    }, timeoutMs);
    socket.once("error", fail);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", fail);
      resolve(socket);
    });
  });
}

/** Connects to the first of the addresses that answers, within `timeoutMs` in all. */
export async function openServerSocket(
  addresses: readonly string[],
  { port, timeoutMs }: { readonly port: number; readonly timeoutMs: number },
): Promise<Socket> {
  let last: unknown;
  for (const address of addresses) {
    try {
      return await open(address, { port, timeoutMs: timeoutMs / addresses.length });
    } catch (error) {
      last = error;
    }
  }
  throw failure(codeOf(last) === "ETIMEDOUT" ? "ETIMEDOUT" : "ESOCKET", last);
}
