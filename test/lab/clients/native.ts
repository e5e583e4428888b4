/** AppAuth as an app on a user's machine: public, with a custom URL scheme that no server answers. */
import assert from "node:assert/strict";
import { textOf } from "../../../src/kit/thrown.ts";
import type { StartApp } from "./apps.ts";
import type { ClientConfig, Lab, Trial } from "./lab.ts";

const ADDRESS = "org.example.notes:/callback";

/** Signs in, allows it when asked, and hands the app the address that the browser was led to; resolves with that page. */
async function enter(lab: Lab, { url }: ClientConfig, { isAsked }: { isAsked: boolean }): Promise<string> {
  const person = lab.openPerson();
  const page = await person.enter(`${url}/login`);
  assert.ok(page.isAsked, page.body.slice(0, 2_000));
  // Any program may register this scheme: the person must consent once.
  assert.equal(page.url.protocol === "http:", isAsked, page.url.href);
  const { url: address } = isAsked ? await person.allow(page) : page;
  assert.ok(address.href.startsWith(`${ADDRESS}?`), address.href);
  const answer = await fetch(`${url}/opened?${new URLSearchParams({ address: address.href }).toString()}`);
  return answer.text();
}

/** Creates the trial. */
export function createNativeTrial(start: StartApp): Trial {
  return {
    name: "appauth with a scheme of its own",
    run: async (lab) => {
      const fields = { clientType: "public", redirectUris: [ADDRESS] };
      const config = await lab.register("appauth", () => fields);
      const running = await start(config);
      try {
        const text = await enter(lab, config, { isAsked: true });
        const said: unknown = JSON.parse(text);
        lab.checkClaims(said);
        assert.match(text, /"isRenewed":true/u);
        lab.checkClaims(JSON.parse(await enter(lab, config, { isAsked: false })));
        return "signed in, allowed once, claims, renewed";
      } catch (error) {
        throw new Error(`${textOf(error)}\n${running.output()}`, { cause: error });
      } finally {
        await running.stop();
      }
    },
  };
}
