/** Phrases that are not written in English here, what to write in their place, and why each is on the list. */

/**
 * Where a phrase is looked for: only in texts of pages and emails, in documents and strings of the source as well, or in
 * comments and titles of tests. A word that pages must not use may be the right one elsewhere ("thing", "by mail").
 */
type Scope = "pages" | "everywhere" | "comments";

export interface Phrase {
  readonly pattern: RegExp;
  readonly scope: Scope;
  readonly write: string;
  readonly why: string;
}

const pages = (pattern: RegExp, write: string, why: string): Phrase => ({
  pattern,
  scope: "pages",
  write,
  why,
});
const everywhere = (pattern: RegExp, write: string, why: string): Phrase => ({
  pattern,
  scope: "everywhere",
  write,
  why,
});

const comments = (pattern: RegExp, write: string, why: string): Phrase => ({
  pattern,
  scope: "comments",
  write,
  why,
});

const commentPhrases: readonly Phrase[] = [
  comments(/\bwho(?:m|so)?ever\b/iu, "the user who, a client that, the caller", "A role has a name"),
  comments(/\banew\b/iu, "again", "German word order in English words"),
  comments(/\bany more\b(?! (?:\w+s\b|than\b))/iu, "no longer, anymore", "Of time"),
  comments(
    /\b(?:is|are|was|were|be|been|being) (?:\w+ly |not |never |then |also )?asked\b(?! (?:for|to|about|again)\b)/iu,
    "is requested, is queried, runs",
    "Programs send requests and run checks. People are asked for passwords, which is fine",
  ),
  comments(
    /\b(?:is|are|was|were|be|been|being) (?:\w+ly |not |never |then |also )?told\b(?! (?:to|apart)\b)/iu,
    "is notified, is sent, is reported",
    "Says what happens",
  ),
  comments(/^Makes what\b/u, "Creates, Returns", "“Makes what …” describes a function by its result’s use"),
  comments(
    /(?<!")\bnobody\b(?!")/iu,
    "no one, or the thing itself: unknown, unset, invalid",
    "Name what is meant",
  ),
  comments(
    /\bstands?\b(?!-| (?:for|in for|alone|out|side)\b)|\bstood\b(?! for\b)/iu,
    "is, has, contains; the state of",
    "Things don’t stand",
  ),
];

const shopPhrases: readonly Phrase[] = [
  pages(/\bthings?\b/iu, "product, item", "Shops sell products; in other texts a thing has a name, too"),
  pages(/^(?:the )?goods$/iu, "Subtotal", "The sum before shipping. Legal texts keep “goods” in sentences"),
  pages(/^(?:to |see )?(?:everything|all of it)$/iu, "All products", "As a link or heading of a list"),
  everywhere(/\bnarrow(?:s|ed|ing)? (?:\S+ ){0,3}down\b/iu, "filter", "A list of products has filters"),
  pages(/^show$/iu, "Apply", "The button that applies filters"),
  pages(
    /\b(?:sold|viewed) most\b|\bcheapest first\b/iu,
    "Best selling, Most viewed, Price",
    "Orders of a list",
  ),
  pages(/\bgoes with (?:it|this)\b/iu, "You may also like", "Related products"),
  pages(
    /\bwith the label\b|^labels$/iu,
    "Tags",
    "What buyers filter by; “label” is a caption or a parcel’s label",
  ),
  pages(/\bversions? of (?:it|the product)\b|^\{count\} versions$/iu, "variant", "A file has versions"),
  pages(
    /\bwhere you live\b|\byour contact$/iu,
    "Shipping address, Contact information",
    "Headings of checkout",
  ),
  pages(
    /\bwhat do you withdraw from\b/iu,
    "Which items do you want to return?",
    "Legal texts keep “withdraw”",
  ),
  everywhere(/\bways? (?:to pay|of paying)\b/iu, "payment method", "The term of every checkout"),
  everywhere(/\bpayment services?\b/iu, "payment provider", "What a seller connects: Stripe, PayPal"),
  everywhere(
    /\bpayment notices?\b|\bnotices? (?:came|comes?) in\b/iu,
    "payment notification, webhook event",
    "What a provider sends about a payment",
  ),
  everywhere(/\bmoney (?:came|comes|has come) in\b/iu, "payment received", "Of payments and bank transfers"),
  everywhere(/\bless (?:came|has come|was paid) than\b/iu, "underpaid by", "Of payments below the total"),
  pages(/^worth$/iu, "Discount", "What a coupon takes off a price"),
  pages(/\buses in all\b/iu, "Usage limit", "Of a coupon"),
  everywhere(
    /\btak(?:e|es|en|ing) (?:it|them|this|that|the \w+|an? \w+) (?:off|down|away)\b|\btaken (?:off|down|away)\b/iu,
    "remove, unpublish, clear",
    "“A filter is taken away” for clearing it. “The change takes the service down” needs a name for the outage, too",
  ),
];

const accountPhrases: readonly Phrase[] = [
  everywhere(
    /\bwho(?:ever)? runs (?:this|the) (?:site|shop)\b/iu,
    "the administrator of this site",
    "A person with a role has a name",
  ),
  pages(
    /\bsecond step\b|\bcode of the second factor\b|^second factor$/iu,
    "two-factor authentication",
    "As GitHub and Google say it",
  ),
  everywhere(
    /\b(?:is|are|was|were|be|been|being) (?:not |never )?proved\b|\bprov(?:e|es|ed|ing) (?:the|a|an|your|their|its|this|that) (?:mailbox|address|e-?mail)/iu,
    "verified, verify",
    "An email address is verified",
  ),
  everywhere(
    /\blet (?:a|the|this) device in\b|\bdevice (?:is|was) (?:not )?let in\b|\bcomes? in with (?:your|the|this|an|their)\b/iu,
    "sign in on a device",
    "What a device flow does",
  ),
  everywhere(/\bwords of (?:the |an? )?(?:e-?)?mails?\b/iu, "email templates", "What sellers edit"),
  everywhere(
    /\b(?:not|longer) good any ?more\b|\bis good (?:until|once|for (?:\d|\{|an?\b|one\b|ten\b))/iu,
    "expired, valid",
    "Of links, codes and invites",
  ),
  everywhere(/\bpresent (?:password|secret)\b/iu, "current password", "Beside a new password"),
  pages(/\bstrangers?\b/iu, "visitor, someone", "Of people who are not signed in"),
  everywhere(/\bsomebody\b/iu, "someone", "The same word everywhere"),
];

const monitorPhrases: readonly Phrase[] = [
  everywhere(
    /\b(?:is|are|was|were|be|being) asked (?:each|every|once a|by the monitor|from (?:each|every|all|several|one) )/iu,
    "Trivet checks … every minute",
    "Of targets of checks. People are asked for passwords, which is fine",
  ),
  everywhere(
    /\bso many places\b|\b(?:from|of|all|other|several|many|each of the|\d+) places\b|\} places\b(?! where)|\bplaces (?:say|see|report)\b/iu,
    "location",
    "Where a check runs. “In some places” is no such phrase",
  ),
  everywhere(/\bsigns? of life\b/iu, "heartbeat, ping", "Of heartbeat checks"),
  pages(/\bpulses?\b/iu, "heartbeat, ping", "Of heartbeat checks"),
  everywhere(/\bmend(?:s|ed|ing)?\b/iu, "fix, fixed", "No one says “mend” of software"),
];

const generalPhrases: readonly Phrase[] = [
  pages(/^(?:make|made)\b/iu, "Create, Created", "Buttons and columns"),
  everywhere(/\be-mail/iu, "email", "One spelling"),
  pages(
    /\b(?:an?|the|this|that|each|every|your|their|earlier|these|those|first|test|by|per|one|no|such|more|of) mails?\b(?! (?:server|client|program|provider|hosts?|sender|settings|queue|log)\b)|^mails?\b(?! server)|\bmails\b/iu,
    "email",
    "A mail server sends emails; “by mail” is by post",
  ),
  everywhere(
    /\blook(?:s|ed|ing)? (?:at (?:it|this|that|them)|again|whether)\b/iu,
    "check, review",
    "“Look again” for reviewing something",
  ),
  everywhere(
    /\b(?:not|never|nobody|nothing|none|no|cannot|can't|can’t|\w+n't|\w+n’t) (?:\S+ ){0,8}?any more\b(?! than\b| (?:\w+s|expensive)\b)/iu,
    "no longer, anymore",
    "American English writes “anymore” of time. “Any more products” is fine",
  ),
  everywhere(
    /\b(?:is|are|was|were|be|being) away\b(?! from)|\b(?:do|does|did)(?: not|n't|n’t) answer\b/iu,
    "is unavailable, is not responding",
    "Of services, stores and databases",
  ),
  everywhere(
    /\bin the meantime\b|\bfrom then on\b/iu,
    "while you were editing, from now on, afterward",
    "Says when, instead of pointing at it",
  ),
  everywhere(
    /\b(?:did|does|do)(?: not|n't|n’t) take (?:it|this|that|them)\b/iu,
    "the provider rejected the request: {reason}",
    "Of requests that a service rejects",
  ),
  everywhere(/\bthereof\b|\bof it (?:vat|tax)\b/iu, "name the noun", "“Of it” has no noun"),
  everywhere(/\bone screen of\b/iu, "a one-page guide", "Pages are not measured in screens"),
  everywhere(/\bunnamed\b/iu, "not set", "Of variables and settings"),
  pages(
    /(?<!\bconnections? (?:is |was )?)\brefus(?:e|es|ed|ing|al|als)\b/iu,
    "rejected, denied, invalid",
    "What pages refuse has a reason to say",
  ),
  everywhere(
    /(?<!\bconnections? )\b(?:is|are|was|were|be|been|being) refused\b/iu,
    "is rejected, is denied, is invalid",
    "Input is invalid, requests are rejected, permissions are denied; connections are refused",
  ),
  everywhere(
    /\bhand(?:s|ed|ing)? (?:(?:it|them|this|that) )?(?:over|out)\b/iu,
    "deliver, issue, return",
    "Of goods, tokens and values",
  ),
  everywhere(
    /(?<!\b(?:for|of|in|on) )\beach (?:second|minute|hour|day|night|week|month|year)\b/iu,
    "every minute",
    "“Each” before a unit of time. “A bar for each day” is fine",
  ),
  everywhere(
    /\banew\b|\bwhoever\b|\bwhomever\b/iu,
    "again, a user who",
    "German word order in English words",
  ),
  pages(
    /\b(?:colou?rs?(?<=ours?)|licences?|behaviour|cancelled|cancelling|favourites?|centre|grey|recognise\w*|organis\w*|synchronis\w*|authoris\w*|initialis\w*)\b/iu,
    "color, license, canceled …",
    "American spelling",
  ),
];

export const phrases: readonly Phrase[] = [
  ...commentPhrases,
  ...shopPhrases,
  ...accountPhrases,
  ...monitorPhrases,
  ...generalPhrases,
];

/** The phrases in a text, each with what to write instead. */
export function findPhrases(text: string, place: "page" | "prose" | "comment"): string[] {
  return phrases.flatMap(({ pattern, scope, write }) => {
    const isMeant = (scope === "comments") === (place === "comment");
    const found = isMeant && (place !== "prose" || scope === "everywhere") ? pattern.exec(text) : null;
    return found === null ? [] : [`“${found[0]}”: write ${write}`];
  });
}
