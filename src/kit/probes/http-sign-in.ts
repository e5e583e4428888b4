/** Authentication of an HTTP check to the target, its token server and the proxy. */
import { hostOf, runExchange } from "../outbound/outbound-exchange.ts";
import type { Proxy } from "../outbound/tunnel.ts";
import { tryAddresses } from "../outbound/try-addresses.ts";
import { forgetToken, getToken, type TokenAnswer, type TokenAsk, TokenError } from "./access-token.ts";
import type { SecretHttpTarget } from "./kinds/http-settings.ts";
import { ProbeFailure, type Try } from "./try.ts";

/** RFC 7617, in UTF-8. */
function toBasic(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** Where to connect for a request: to the host itself, or to the proxy. */
export interface Way {
  readonly addresses: readonly string[];
  readonly toProxy: (address: string) => Proxy | undefined;
}

/** Looks up who is connected to. @throws ProbeFailure */
export async function findWay(run: Try, target: SecretHttpTarget, url: URL): Promise<Way> {
  const { proxy = "", proxyUsername = "", proxyPassword } = target;
  if (proxy === "") return { addresses: await run.findAddresses(hostOf(url)), toProxy: () => undefined };
  // A name is looked up by the proxy; an address that is forbidden stays forbidden.
  run.checkAddress(hostOf(url));
  const place = new URL(proxy);
  const port = place.port === "" ? 80 : Number(place.port);
  const signsIn = proxyUsername !== "" || proxyPassword !== "";
  const authorization = signsIn ? toBasic(proxyUsername, proxyPassword) : undefined;
  const addresses = await run.findAddresses(hostOf(place));
  return { addresses, toProxy: (address) => ({ address, port, authorization }) };
}

/** The own certificate for TLS; undefined for none. */
export function toClient({ clientCertificate = "", clientKey }: SecretHttpTarget) {
  return clientCertificate === "" || clientKey === ""
    ? undefined
    : { cert: clientCertificate, key: clientKey };
}

function toAsk({
  tokenUrl = "",
  clientId = "",
  clientSecret,
  scopes = "",
  audience = "",
}: SecretHttpTarget): TokenAsk {
  return { tokenUrl, clientId, clientSecret, scopes, audience };
}

async function sendForm(
  run: Try,
  {
    target,
    form,
    headers,
  }: { target: SecretHttpTarget; form: string; headers: Readonly<Record<string, string>> },
): Promise<TokenAnswer> {
  const url = new URL(target.tokenUrl ?? "");
  const { addresses, toProxy } = await findWay(run, target, url);
  run.begin("connect");
  return tryAddresses(addresses, {
    signal: run.signal,
    attempt: (address, connectMs) =>
      runExchange({
        url,
        address,
        connectMs,
        method: "POST",
        headers: {
          accept: "application/json",
          "user-agent": run.context.userAgent,
          "content-type": "application/x-www-form-urlencoded",
          ...headers,
        },
        body: form,
        signal: run.signal,
        ca: toAuthorities(run, target),
        proxy: toProxy(address),
      }),
  });
}

/** Authorities that this check trusts. */
export function toAuthorities(run: Try, { ca = "" }: SecretHttpTarget): string | undefined {
  return ca === "" ? run.context.ca : ca;
}

/** The `Authorization` header of a check, and whether it may be worth a second request with a new token. */
export interface SignIn {
  readonly authorization: string | undefined;
  readonly isKept: boolean;
}

/** @throws ProbeFailure when the token server gives none */
export async function signIn(run: Try, target: SecretHttpTarget): Promise<SignIn> {
  switch (target.auth) {
    case "basic":
      return { authorization: toBasic(target.username ?? "", target.password), isKept: false };
    case "bearer":
      return { authorization: `Bearer ${target.bearerToken}`, isKept: false };
    case "oauth2":
      return signInByToken(run, target);
    case "":
    case undefined:
      return { authorization: undefined, isKept: false };
  }
}

async function signInByToken(run: Try, target: SecretHttpTarget): Promise<SignIn> {
  try {
    const { token, isKept } = await getToken(toAsk(target), {
      nowMs: () => run.context.clock.monotonic(),
      send: (form, headers) => sendForm(run, { target, form, headers }),
    });
    return { authorization: `Bearer ${token}`, isKept };
  } catch (error) {
    if (error instanceof TokenError) throw new ProbeFailure("status", error.message);
    const { fault, message } = run.toFailure(error);
    throw new ProbeFailure(fault, `Token server: ${message}`);
  }
}

/** After the target refused a token that was kept. */
export function forgetSignIn(target: SecretHttpTarget): void {
  forgetToken(toAsk(target));
}
