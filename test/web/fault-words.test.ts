/** Refusals of a service in the reader's words: bounds out of its sentences, fields by name, kind and code. */
import "./resource/browser.ts";
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import ts from "typescript";
import { z } from "zod";
import { clientFieldsSchema } from "../../src/auth/applications/schema.ts";
import { findNewLogoFault } from "../../src/kit/brand/logo-change.ts";
import { toInvalidError } from "../../src/kit/text/validation.ts";
import { ApiError } from "../../src/web/app/api.ts";
import { englishTexts, setTexts } from "../../src/web/app/texts.ts";
import { fieldKinds } from "../../src/web/auth/faults.ts";
import { fieldKinds as shopKinds } from "../../src/web/shop/faults.ts";
import { profileForm } from "../../src/web/auth/users/user-forms.tsx";
import {
  toMessage,
  setFieldKinds,
  toFieldErrors,
  toRefusalWords,
} from "../../src/web/ui/forms/fault-words.ts";
import { pickFields, readForm, toTyped } from "../../src/web/ui/resource/form.ts";
import type { Form } from "../../src/web/ui/resource/kind.ts";

const texts = new Map<string, string>();

/** What the page says of a body that a schema refuses. */
function say(schema: z.ZodType, body: unknown): Record<string, string> {
  const { error } = schema.safeParse(body);
  assert.ok(error);
  const { message, errors: faults } = toInvalidError("json", error.issues);
  return Object.fromEntries(toFieldErrors(new ApiError(message, { status: 422, code: "invalid", faults })));
}

/** Every sentence in the code of the services, with a number and with a noun for what it fills in. */
async function readSentences(): Promise<string[]> {
  const folder = new URL("../../src/", import.meta.url);
  const paths = await readdir(folder, { recursive: true });
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node))
      for (const filled of ["7", "coupon"])
        found.push(
          [node.head, ...node.templateSpans.map(({ literal }) => literal)]
            .map(({ text }) => text)
            .join(filled),
        );
    ts.forEachChild(node, visit);
  };
  for (const path of paths.filter((name) => name.endsWith(".ts") && !/^(?:web|texts)\b/u.test(name)))
    visit(ts.createSourceFile(path, await readFile(new URL(path, folder), "utf8"), ts.ScriptTarget.Latest));
  return found;
}

describe("words of refusals", () => {
  before(async () => {
    for (const room of ["web", "auth-pages", "web-auth"]) {
      const file = new URL(`../../src/texts/de/${room}.json`, import.meta.url);
      const read: unknown = JSON.parse(await readFile(file, "utf8"));
      for (const [name, words] of Object.entries(z.record(z.string(), z.string()).parse(read)))
        texts.set(name, words);
    }
    setTexts("de", Object.fromEntries(texts));
    setFieldKinds(fieldKinds);
  });
  after(() => {
    // Other files share the process.
    setTexts("en", englishTexts());
    setFieldKinds({ kinds: {}, fields: {} });
  });

  it("have the reason for which a callback address is rejected", () => {
    const addresses = ["https://*.example.org/cb", "mailto:ann@example.org", "/cb"];
    const said = say(clientFieldsSchema, { name: "Phone", redirectUris: addresses });
    assert.match(said["/redirectUris/0"] ?? "", /^Platzhalter/u);
    assert.match(said["/redirectUris/1"] ?? "", /^mailto: führt nie zu einer App/u);
    assert.match(said["/redirectUris/2"] ?? "", /^Geben Sie eine vollständige Adresse/u);
  });

  it("name what a logo must not contain, in the reader's language", () => {
    const logo = (inner: string): string => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
      const message = findNewLogoFault(`data:image/svg+xml;base64,${btoa(svg)}`) ?? "";
      const faults = [{ pointer: "/logo", code: "invalid", message }];
      const error = new ApiError("", { status: 422, code: "invalid", faults });
      return toFieldErrors(error).get("/logo") ?? "";
    };
    assert.match(
      logo("<script/>"),
      /^Ein Logo darf „script“ nicht enthalten\. .* einfaches SVG oder ein PNG\.$/u,
    );
    assert.match(logo('<g onclick="x"/>'), /^Ein Logo darf „onclick“ nicht/u);
    assert.match(logo("<g>"), /^Wählen Sie ein PNG- oder ein einfaches SVG-Bild/u);
  });

  it("have the bounds that the service names", () => {
    const schema = z.strictObject({
      title2: z.string().min(1),
      termsVersion: z.string().max(40),
      list: z.array(z.string()).max(2),
      port: z.number().int().min(1).max(65_535),
      other: z.number().int().min(3),
      absent: z.string(),
    });
    const body = { title2: "", termsVersion: "x".repeat(41), list: ["a", "b", "c"], port: 70_000, other: 1 };
    assert.deepEqual(say(schema, body), {
      "/title2": "Darf nicht leer sein",
      "/termsVersion": "Höchstens 40 Zeichen",
      "/list": "Höchstens 2 Einträge",
      "/port": "Höchstens 65535",
      "/other": "Mindestens 3",
      "/absent": "Darf nicht leer sein",
    });
  });

  it("are those of the field or its kind where the service has a sentence of its own", () => {
    const schema = z.strictObject({
      boundEmails: z.array(z.string().regex(/@/u, "must be an e-mail address")),
      privacyUrl: z.url(),
    });
    assert.deepEqual(say(schema, { boundEmails: ["x"], privacyUrl: "x" }), {
      "/boundEmails/0": texts.get("fault.email"),
      "/privacyUrl": texts.get("fault.url"),
    });
  });

  it("are shown at the field that a general error is about", () => {
    const taken = new ApiError("The username is taken", { status: 409, code: "username_taken" });
    assert.deepEqual([...toFieldErrors(taken)], [["/username", texts.get("fault.username.username_taken")]]);
    const address = new ApiError("The address is taken", { status: 409, code: "email_taken" });
    assert.deepEqual([...toFieldErrors(address)], [["/email", texts.get("error.email_taken")]]);
  });

  it("name no marked fields where none is on the page", () => {
    const refused = (faults: ApiError["faults"]) =>
      toMessage(new ApiError("The YAML has no end", { status: 422, code: "invalid", faults }));
    assert.equal(refused([]), "The YAML has no end");
    const fault = { pointer: "/port", code: "too_big", message: "must be at most 9" };
    assert.equal(refused([fault]), "port: Höchstens 9");
  });

  it("are the service's own by default", () => {
    assert.equal(toRefusalWords({ code: "last_admin", message: "English" }), texts.get("error.last_admin"));
    assert.equal(toRefusalWords({ code: "never_heard_of", message: "English" }), "English");
  });

  it("give the reason why something of the shop cannot go or change", async (t) => {
    const read = async (language: string): Promise<Record<string, string>> => {
      const file = new URL(`../../src/texts/${language}/web-shop.json`, import.meta.url);
      return z.record(z.string(), z.string()).parse(JSON.parse(await readFile(file, "utf8")));
    };
    t.after(() => {
      setTexts("de", Object.fromEntries(texts));
      setFieldKinds(fieldKinds);
    });
    setFieldKinds(shopKinds);
    const say409 = (message: string): string => toRefusalWords({ code: "conflict", message });
    setTexts("de", await read("de"));
    assert.match(
      say409("The category has 2 products. Move them first, or hide the category"),
      /^Produkte darin: 2\./u,
    );
    assert.match(say409("3 orders use this coupon. Disable it instead"), /^Bestellungen .*: 3\./u);
    assert.match(say409("No such luck"), /Meldung des Shops: No such luck/u);
    const [taken] = toFieldErrors(
      new ApiError("Another coupon has this code", {
        status: 409,
        code: "already_exists",
        faults: [{ pointer: "/code", code: "already_exists", message: "belongs to another coupon" }],
      }),
    );
    assert.deepEqual(taken, ["/code", "Diesen Code hat schon ein anderer Rabattcode"]);
    setTexts("en", { ...englishTexts(), ...(await read("en")) });
    const currency =
      "The currency cannot change while orders in the previous currency are unpaid. Close the checkout (checkoutOpen: false)";
    assert.match(say409(currency), /Turn off “Buyers can order”/u);
    assert.equal(say409("No such luck"), "No such luck");
  });
});

describe("a profile as it is typed", () => {
  const stored = {
    displayName: "Ann",
    bio: "",
    givenName: "Ann",
    familyName: "",
    website: "",
    location: "Graz",
    links: [{ label: "My code", url: "https://git.example.org/ann" }],
    visibility: "public",
    inDirectory: true,
    showStreak: false,
    showJoined: true,
    likePolicy: "off",
    hasAvatar: false,
    version: 3,
  } as const;

  function read(typed: Form): Readonly<Record<string, unknown>> {
    const before = pickFields(profileForm, stored);
    const form = { ...toTyped(profileForm, before, undefined), ...typed };
    const parsed = readForm(profileForm, form, { context: undefined, before });
    assert.ok(parsed.ok);
    return parsed.fields;
  }

  it("comes back as it was stored", () => {
    const { hasAvatar: _picture, version: _version, ...fields } = stored;
    assert.deepEqual(read({}), fields);
  });

  it("has a link a line, whose last word is the address", () => {
    assert.deepEqual(read({ links: "\n A  B  https://a.example \nhttps://b.example" })["links"], [
      { label: "A B", url: "https://a.example" },
      { label: "", url: "https://b.example" },
    ]);
  });

  it("has a pattern for none but sentences that the services still say", async () => {
    const said = await readSentences();
    const known = [fieldKinds, shopKinds].flatMap(({ sentences = [] }) => sentences.map(([form]) => form));
    assert.ok(known.length > 20, "no patterns");
    assert.deepEqual(
      known.filter((form) => !said.some((sentence) => form.test(sentence))),
      [],
    );
  });
});
