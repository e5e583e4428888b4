/** Redirects, headers and IPv6 addresses as trials beside other monitors met them. */
import assert from "node:assert/strict";
import { createServer as createHttp, type RequestListener } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer as createTcp, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, describe, it } from "node:test";
import { selfSigned } from "./certificates.ts";
import { look, sayResult, serveHttp } from "./targets.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((own) => own?.address === "::1");

async function start(listener: RequestListener): Promise<number> {
  const server = await serveHttp(listener);
  cleanUp.push(() => server.close());
  return server.port;
}

async function listen6(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "::1", resolve));
  cleanUp.push(() => server.close());
  // `as`: a listener on a port has an address of this shape.
  return (server.address() as AddressInfo).port;
}

describe("HTTP probes in trials beside other monitors", () => {
  it("follow five redirects and no sixth, whatever form their addresses have", async () => {
    const seen: string[] = [];
    const port = await start((request, response) => {
      const path = request.url ?? "";
      seen.push(path);
      const hops = Number(new URLSearchParams(path.split("?")[1]).get("hops"));
      const forms = [
        `?hops=${hops - 1}`,
        `//${request.headers.host}/b?hops=${hops - 1}`,
        `../c/?hops=${hops - 1}`,
      ];
      if (hops === 0) response.end("there");
      else response.writeHead(302, { location: forms[hops % forms.length] }).end();
    });
    const url = `http://localhost:${port}/a/b`;
    assert.equal(
      sayResult(await look({ kind: "http", url: `${url}?hops=5`, contains: "there" })),
      "up | 200 OK",
    );
    assert.equal(seen.length, 6);
    assert.equal(
      sayResult(await look({ kind: "http", url: `${url}?hops=6` })),
      "redirects | The response redirects more than 5 times",
    );
  });

  it("follow an address with letters beyond ASCII, and take headers of 15 kB", async () => {
    const paths: string[] = [];
    const port = await start((request, response) => {
      paths.push(request.url ?? "");
      if (request.url !== "/") response.setHeader("x-long", "x".repeat(15_000));
      // As bytes of UTF-8, which servers send though no standard allows it.
      if (request.url === "/") response.writeHead(302, { location: Buffer.from("/grün").toString("latin1") });
      response.end("ok");
    });
    const target = { kind: "http", url: `http://localhost:${port}/` };
    assert.equal(sayResult(await look(target)), "up | 200 OK");
    assert.equal(paths.length, 2);
    const conditions = [{ subject: "header", name: "x-long", operator: "matches", value: "^x+$" }];
    assert.equal(sayResult(await look({ ...target, conditions })), "up | 200 OK");
  });

  it(
    "reach IPv6 addresses in brackets, as do TCP and TLS",
    { skip: hasIpv6 ? false : "this machine has no ::1" },
    async () => {
      const plain = await listen6(createHttp((_request, response) => response.end("ok")));
      const secure = await listen6(createHttps(selfSigned, (_request, response) => response.end("ok")));
      const tcp = await listen6(createTcp((socket) => socket.end()));
      const accepts = { acceptsCertificate: ["issuer", "name"] };
      for (const target of [
        { kind: "http", url: `http://[::1]:${plain}/` },
        { kind: "http", url: `https://[::1]:${secure}/`, ...accepts },
        { kind: "tcp", host: "::1", port: tcp },
        { kind: "ping", host: "::1", port: tcp },
      ])
        assert.match(sayResult(await look(target)), /^up \| /u, JSON.stringify(target));
      const wrong = await look({ kind: "tls", host: "::1", port: secure });
      assert.equal(wrong.fault, "certificate");
    },
  );
});
