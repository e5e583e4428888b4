// A licensed program with one of the published clients of Lemon Squeezy's License API, unchanged: each request for
// Lemon Squeezy's host is sent to the shop.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import process from "node:process";

const HOST = "https://api.lemonsqueezy.com";
const { client, shop, key, disabledKey, productId } = JSON.parse(process.env.CLIENT);

const ownFetch = globalThis.fetch;
function fetchAtShop(address, init) {
  assert.ok(String(address).startsWith(`${HOST}/v1/licenses/`), address);
  return ownFetch(shop + String(address).slice(HOST.length), init);
}

/** The official client: a function for each request, with the answer and its status. */
async function openSdk(name) {
  const { activateLicense, validateLicense, deactivateLicense } = await import(name);
  globalThis.fetch = fetchAtShop;
  const toAnswer = ({ statusCode, error, data }) => ({
    ok: error === null,
    statusCode,
    said: error?.cause,
    data,
  });
  return {
    activate: async (license, instance) => toAnswer(await activateLicense(license, instance)),
    validate: async (license, id) => toAnswer(await validateLicense(license, id)),
    deactivate: async (license, id) => toAnswer(await deactivateLicense(license, id)),
  };
}

/** The node of the workflow engine n8n, with the helpers that the engine gives it. */
function openN8n() {
  const require = createRequire(import.meta.url);
  const { LemonSqueezy } = require("n8n-nodes-lemonsqueezy/dist/nodes/LemonSqueezy/LemonSqueezy.node.js");
  const node = new LemonSqueezy();
  async function httpRequestWithAuthentication(_credential, { method, url, body }) {
    const headers = { accept: "application/json", "content-type": "application/json" };
    const response = await fetchAtShop(url, { method, headers, body: JSON.stringify(body) });
    const data = await response.json();
    if (response.ok) return data;
    throw Object.assign(new Error(data.error), {
      statusCode: response.status,
      response: { status: response.status, body: data, data },
    });
  }
  async function run(operation, parameters) {
    const given = { resource: "licenseKey", operation, simplifyOutput: false, ...parameters };
    const helpers = {
      httpRequestWithAuthentication,
      returnJsonArray: (json) => [{ json }],
      constructExecutionMetaData: (items) => items,
    };
    const engine = {
      helpers,
      getInputData: () => [{ json: {} }],
      getNodeParameter: (name, _item, fallback) => given[name] ?? fallback,
      getNode: () => ({ name: "Lemon Squeezy", type: "lemonSqueezy", typeVersion: 1 }),
      continueOnFail: () => false,
    };
    try {
      const [[item]] = await node.execute.call(engine);
      return { ok: true, statusCode: 200, data: item.json };
    } catch (error) {
      return { ok: false, statusCode: Number(error.httpCode), said: error.message };
    }
  }
  return {
    activate: (licenseKey, instanceName) => run("activate", { licenseKey, instanceName }),
    // It has no parameter for a device.
    validate: (licenseKey) => run("validate", { licenseKey }),
    deactivate: (licenseKey, instanceId) => run("deactivate", { licenseKey, instanceId }),
  };
}

const api = client === "n8n" ? openN8n() : await openSdk(client);

function refused({ ok, statusCode, said }, status, sentence) {
  assert.deepEqual([ok, statusCode], [false, status], String(said));
  // n8n has sentences of its own for each status.
  if (client !== "n8n") assert.equal(said, sentence);
}

const first = await api.activate(key, "Laptop");
assert.ok(first.ok, String(first.said));
assert.equal(first.data.activated, true);
assert.equal(first.data.error, null);
assert.equal(first.data.meta.product_id, productId);
assert.equal(first.data.instance.name, "Laptop");
const { id } = first.data.instance;

const valid = await api.validate(key, id);
assert.equal(valid.data.valid, true);
assert.deepEqual(
  [
    valid.data.license_key.status,
    valid.data.license_key.activation_usage,
    valid.data.license_key.activation_limit,
  ],
  ["active", 1, 1],
);
refused(await api.activate(key, "Tablet"), 400, "This license key has reached the activation limit.");
refused(await api.validate("NO-SUCH-KEY"), 404, "license_key not found.");
refused(await api.validate(disabledKey), 400, "This license key is disabled.");

const freed = await api.deactivate(key, id);
assert.equal(freed.data.deactivated, true);
assert.equal(freed.data.license_key.activation_usage, 0);
const next = await api.activate(key, "Tablet");
assert.equal(next.data.activated, true);
assert.notEqual(next.data.instance.id, id);
if (client !== "n8n") refused(await api.validate(key, id), 404, "instance_id not found.");
console.log("activated, validated, refused a second device, deactivated, activated again");
