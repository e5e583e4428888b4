/**
 * Passkeys on the pages for people: puts a button into each place that a page has for one, and tells the browser what
 * became of passkeys. Pages do all the rest, and work without it.
 */
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  WebAuthnError,
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  platformAuthenticatorIsAvailable,
  sendSignal,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";

/** Options are good for five minutes. */
const RENEW_MS = 4 * 60_000;

/** A place in a page: attributes of `PasskeyPlace` on the server. */
interface Place {
  readonly element: HTMLElement;
  readonly data: DOMStringMap;
  readonly form: HTMLFormElement;
  readonly button: HTMLButtonElement;
  readonly status: HTMLElement;
}

interface Begun {
  readonly challengeId: string;
  readonly options: PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;
}

function setField(form: HTMLFormElement, name: string, value: string): void {
  const known = form.querySelector<HTMLInputElement>(`input[name=${name}]`);
  const field = known ?? document.createElement("input");
  Object.assign(field, { type: "hidden", name, value });
  if (known === null) form.append(field);
}

function makePlace(element: HTMLElement): Place {
  const data = element.dataset;
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: data["action"] ?? "", className: "stack is-tight" });
  setField(form, "form", data["token"] ?? "");
  if (data["next"] !== undefined) setField(form, "rd", data["next"]);
  const button = document.createElement("button");
  Object.assign(button, { type: "submit", className: data["button"] ?? "button" });
  button.textContent = data["label"] ?? "";
  const status = document.createElement("p");
  status.className = "small";
  status.setAttribute("role", "status");
  status.hidden = true;
  form.append(button, status);
  element.replaceChildren(form);
  return { element, data, form, button, status };
}

async function begin({ data }: Place): Promise<Begun | undefined> {
  const body = new URLSearchParams({ form: data["token"] ?? "" });
  const headers = { accept: "application/json" };
  // For an expired session, the form leads to the sign-in page.
  const init: RequestInit = { method: "POST", headers, body, redirect: "manual" };
  const answer = await fetch(`${data["action"] ?? ""}/options`, init);
  // Our own server's answer, in its own form.
  return answer.ok ? ((await answer.json()) as Begun) : undefined;
}

/** Calls the browser, and sends its result to the page; without options the page says why. */
async function ask(place: Place, isConditional: boolean): Promise<void> {
  const begun = await begin(place);
  if (begun !== undefined) {
    const optionsJSON = begun.options;
    const response =
      place.data["passkey"] === "create"
        ? await startRegistration({ optionsJSON })
        : await startAuthentication({ optionsJSON, useBrowserAutofill: isConditional });
    setField(place.form, "challengeId", begun.challengeId);
    setField(place.form, "response", JSON.stringify(response));
  }
  if (begun !== undefined || !isConditional) place.form.submit();
}

/** The words for what a browser refused. */
function toWords({ data }: Place, error: unknown): string {
  const code = error instanceof WebAuthnError ? error.code : "";
  const name = error instanceof Error ? error.name : "";
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") return data["known"] ?? "";
  const isCancelled = name === "NotAllowedError" || name === "AbortError";
  return (isCancelled ? data["cancelled"] : data["failed"]) ?? "";
}

/** Offers passkeys in the list that the browser shows at the name's field, for as long as the page is looked at. */
function offerInList(place: Place): () => void {
  let askedAt = Number.NEGATIVE_INFINITY;
  const offer = (): void => {
    askedAt = performance.now();
    // Aborted by the button, or by the next time.
    ask(place, true).catch(() => undefined);
  };
  const renew = (): void => {
    if (document.visibilityState === "visible" && performance.now() - askedAt >= RENEW_MS) offer();
  };
  setInterval(renew, RENEW_MS / 4);
  document.addEventListener("visibilitychange", renew);
  offer();
  return offer;
}

async function open(element: HTMLElement): Promise<void> {
  const place = makePlace(element);
  const { form, button, status, data } = place;
  const isListed = data["autofill"] !== undefined && (await browserSupportsWebAuthnAutofill());
  const offer = isListed ? offerInList(place) : undefined;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    status.hidden = true;
    ask(place, false).catch((error: unknown) => {
      button.disabled = false;
      status.textContent = toWords(place, error);
      status.hidden = false;
      offer?.();
    });
  });
}

/** Browsers without support ignore it. */
function signal(told: Parameters<typeof sendSignal>[0]): void {
  sendSignal(told).catch(() => undefined);
}

function tellBrowser(): void {
  const unknown = document.querySelector<HTMLElement>("[data-unknown]")?.dataset;
  const { unknown: credentialID = "", rp: rpID = "" } = unknown ?? {};
  if (credentialID !== "") signal({ signalName: "unknownCredential", rpID, credentialID });
  const accepted = document.querySelector<HTMLElement>("[data-accepted]")?.dataset;
  if (accepted === undefined) return;
  const { accepted: ids = "", handle: userID = "", name = "", displayName = "" } = accepted;
  const party = { rpID: accepted["rp"] ?? "", userID };
  const allAcceptedCredentialIDs = ids.split(" ").filter((id) => id !== "");
  signal({ signalName: "allAcceptedCredentials", ...party, allAcceptedCredentialIDs });
  signal({ signalName: "currentUserDetails", ...party, userName: name, userDisplayName: displayName });
}

/** A passkey works for its host and the hosts below. */
function isHere(rpId: string | undefined): boolean {
  return location.hostname === rpId || location.hostname.endsWith(`.${rpId}`);
}

async function main(): Promise<void> {
  if (!browserSupportsWebAuthn()) return;
  const places = [...document.querySelectorAll<HTMLElement>("[data-passkey]")];
  tellBrowser();
  await Promise.all(places.filter(({ dataset }) => isHere(dataset["rp"])).map(open));
  // Reports with a password that this device can create one.
  const marks = document.querySelectorAll<HTMLInputElement>("input[data-passkey-device]");
  if (marks.length > 0 && (await platformAuthenticatorIsAvailable()))
    for (const mark of marks) if (isHere(mark.dataset["passkeyDevice"])) mark.value = "yes";
}

void main();
