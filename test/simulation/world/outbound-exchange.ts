/** In place of the program's HTTP exchange with one address: the request goes to a model of the outside. */
import { ExchangeError, type Answer, type Exchange } from "../../../src/kit/outbound/outbound-exchange.ts";
import { getWorld } from "../kernel/current.ts";

/** As the program's own limit. */
const MOST_BYTES = 65_536;

function toAnswer(response: Response, whole: string, mostBytes = MOST_BYTES): Answer {
  const isLong = whole.length > mostBytes;
  return {
    status: response.status,
    statusText: response.statusText,
    httpVersion: "1.1",
    location: response.headers.get("location") ?? undefined,
    retryAfter: response.headers.get("retry-after") ?? undefined,
    contentType: response.headers.get("content-type") ?? undefined,
    text: whole.slice(0, mostBytes),
    ending: isLong ? "long" : "whole",
    unread: isLong ? "It is longer" : undefined,
    isCertain: true,
    setCookies: [],
    headers: response.headers,
  };
}

export async function runExchange(exchange: Exchange): Promise<Answer> {
  const { url, method, headers, body, signal } = exchange;
  const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const { outside } = getWorld();
  let connected = false;
  try {
    const { response, text } = await outside.send(request, {
      signal,
      onArrival: () => {
        connected = true;
        exchange.onStep?.("connect");
      },
    });
    exchange.onStep?.("firstByte");
    return toAnswer(response, text, exchange.maxBodyBytes);
  } catch (error) {
    throw new ExchangeError(connected, error);
  }
}
