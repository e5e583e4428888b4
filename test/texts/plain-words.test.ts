/** English that a native speaker would have written: no text has a phrase of plain-words.ts. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { before, describe, it } from "node:test";
import ts from "typescript";
import { z } from "zod";
import { projectFolder } from "../support/process.ts";
import { findPhrases, phrases } from "./plain-words.ts";

/** Exempt from rewriting: old texts next to new ones, this list's own explanation, and records of past decisions. */
const exempt = /^docs\/(?:glossary\.md|notes\/|decisions\/\d)/u;
/** Generated from the JSON files, or from a protocol. */
const generated = /^src\/(?:texts\/[^/]+\.ts$|monitor\/proto\/|web\/built\/)/u;

/** The instructions on withdrawal are those of Annex I of Directive 2011/83/EU, word by word. */
const quoted = new Set(["instructions", "online"]);

const read = (path: string): Promise<string> => readFile(join(projectFolder, path), "utf8");

/** Files below a folder whose names match, as paths from the project's folder. */
async function listFiles(folder: string, name: RegExp): Promise<string[]> {
  const entries = await readdir(join(projectFolder, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && name.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => relative(projectFolder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted();
}

/** Markdown without code: names in code are what they are. */
function toProse(markdown: string): string[] {
  return markdown
    .replaceAll(/^(`{3,})[^]*?^\1$/gmu, (code) => code.replaceAll(/[^\n]/gu, ""))
    .replaceAll(/`[^`\n]*`/gu, "`…`")
    .replaceAll(/\]\([^)\n]*\)/gu, "]")
    .split("\n");
}

/** The strings of a source that hold more than one word, with their lines. Comments aren't strings. */
function listStrings(path: string, text: string): [line: number, text: string][] {
  const found: [number, string][] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node)
    )
      if (/\S \S/u.test(node.text))
        found.push([source.getLineAndCharacterOfPosition(node.end).line + 1, node.text]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Text of the comments of a source: block comments, and lines that are comments. */
function* listComments(text: string): Generator<[line: number, text: string]> {
  let line = 1;
  for (const part of text.split(/(\/\*[^]*?\*\/|\n)/u)) {
    const comment = /^\s*\/[/*]+\s*(.*)$/su.exec(part)?.[1];
    if (comment !== undefined)
      yield [line, comment.replaceAll(/\s*\n\s*\*\s?/gu, " ").replace(/\s*\*\/$/u, "")];
    line += part.split("\n").length - 1;
  }
}

/** Titles of tests. */
function* listTitles(text: string): Generator<[line: number, text: string]> {
  for (const { 1: title = "", index } of text.matchAll(/\b(?:it|describe)\(\s*(?:"([^"]*)"|`[^`]*`)/gu))
    yield [text.slice(0, index).split("\n").length, title];
}

/** By file, each phrase that is there: "12: “mend”: write fix, fixed". */
async function findInProject(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const add = (
    path: string,
    at: number | string,
    text: string,
    place: Parameters<typeof findPhrases>[1],
  ): void => {
    for (const phrase of findPhrases(text, place)) {
      const list = found.get(path) ?? [];
      list.push(`${at}: ${phrase}`);
      found.set(path, list);
    }
  };
  for (const path of await listFiles("src/texts/en", /\.json$/u)) {
    const texts = z.record(z.string(), z.string()).parse(JSON.parse(await read(path)));
    const isQuoted = (key: string): boolean => path.endsWith("/shop-legal.json") && quoted.has(key);
    for (const [key, text] of Object.entries(texts)) if (!isQuoted(key)) add(path, key, text, "page");
  }
  const papers = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...(await listFiles("docs", /\.md$/u))];
  for (const path of papers.filter((paper) => !exempt.test(paper)))
    for (const [at, line] of toProse(await read(path)).entries()) add(path, at + 1, line, "prose");
  const sources = [...(await listFiles("src", /\.tsx?$/u)), ...(await listFiles("scripts", /\.[jt]s$/u))];
  for (const path of sources.filter((source) => !generated.test(source))) {
    const text = await read(path);
    for (const [line, string] of listStrings(path, text)) add(path, line, string, "prose");
    for (const [line, comment] of listComments(text)) add(path, line, comment, "comment");
  }
  const tests = await listFiles("test", /\.ts$/u);
  for (const path of tests.filter((test) => !test.startsWith("test/texts/plain-words"))) {
    const text = await read(path);
    for (const [line, comment] of listComments(text)) add(path, line, comment, "comment");
    for (const [line, title] of listTitles(text)) add(path, line, title, "comment");
  }
  return found;
}

describe("English texts", () => {
  let found = new Map<string, string[]>();
  let unfinished: string[] = [];
  before(async () => {
    found = await findInProject();
    unfinished = z.array(z.string()).parse(JSON.parse(await read("test/texts/plain-words-unfinished.json")));
  });

  it("use the field's own terms", () => {
    const faults = [...found]
      .filter(([path]) => !unfinished.includes(path))
      .flatMap(([path, list]) => list.map((fault) => `${path}:${fault}`));
    assert.equal(faults.length, 0, faults.join("\n"));
  });

  it("are on the list of unfinished files only while they have such phrases: remove a file that is done", () => {
    assert.deepEqual(
      unfinished.filter((path) => !found.has(path)),
      [],
    );
    assert.deepEqual(unfinished, unfinished.toSorted());
  });
});

describe("the phrases", () => {
  it("are found in texts that this project once had", () => {
    const once = [
      "{count} things",
      "Goods",
      "Everything",
      "Narrow down",
      "Show",
      "Sold most",
      "Goes with it",
      "With the label “{tag}”",
      "It was not added: choose a version of it first.",
      "Where you live",
      "What do you withdraw from? (optional)",
      "Other ways to pay",
      "The payment service is being asked. This takes a moment.",
      "{count} payment notices wait",
      "Money came in for an order that expired",
      "Less came than is due",
      "Worth",
      "Uses in all",
      "Take a filter away, or look at everything.",
      "Ask who runs this site.",
      "Second step",
      "The address is proved by a code",
      "Let a device in",
      "The words of mails",
      "The link is not good any more",
      "Present password",
      "Strangers do not see this site",
      "Somebody, perhaps you, asked for this",
      "A website is asked each minute",
      "Down from: {names} ({down} of {reported} places)",
      "No sign of life",
      "The pulse",
      "Choose it again once you have mended it.",
      "Make new ones",
      "E-mail address",
      "Look into the spam folder; your mails may be there",
      "Look at it again.",
      "This is not sold any more.",
      "The store is away",
      "This was changed in the meantime",
      "The service did not take it",
      "of it VAT",
      "One screen of documentation",
      "It is unnamed",
      "A refusal",
      "The order is refused",
      "It was handed over",
      "Paid each month",
      "Whoever has it can sign in",
      "Colours",
    ];
    const onceInComments = [
      "Whoever knows it can ping, and nothing else",
      "Reads products anew",
      "What is known says nothing any more",
      "A website is asked from every place",
      "The owner is told so once",
      "Makes what gives the application its code",
      "An application that is off is for nobody",
      "What stands before the code",
    ];
    const quiet = [
      ...once.filter((text) => findPhrases(text, "page").length === 0),
      ...onceInComments.filter((text) => findPhrases(text, "comment").length === 0),
    ];
    assert.deepEqual(quiet, []);
    const never = phrases.filter(
      ({ pattern }) => ![...once, ...onceInComments].some((text) => pattern.test(text)),
    );
    assert.deepEqual(
      never.map(({ pattern }) => String(pattern)),
      [],
    );
  });

  it("leave innocent sentences alone", () => {
    const inPages = [
      "Something went wrong. Nothing was changed.",
      "You can withdraw from the contract within 14 days.",
      "Goods are shipped to",
      "Show password",
      "File version",
      "You are asked for your password once.",
      "In some places the law differs.",
      "Enter the mail server that sends emails.",
      "Do you have any more questions?",
      "This isn’t any more expensive.",
      "Sign in away from home",
      "One bar for each day",
      "Each of the orders",
      "connect: connection refused",
    ];
    const inProse = [
      "The service refuses to start without a secret",
      "Make sure that the port is free",
      "Things that cost time",
      "Show",
      "The second step of the guide",
    ];
    const inComments = [
      "The user is asked for a password",
      "A stand-in for the provider",
      "Makes sure that the folder exists",
      'Runs as "nobody"',
      "Two names are told apart",
    ];
    assert.deepEqual(
      [
        ...inComments.flatMap((text) => findPhrases(text, "comment").map((phrase) => [text, phrase])),
        ...inPages.flatMap((text) => findPhrases(text, "page").map((phrase) => [text, phrase])),
        ...inProse.flatMap((text) => findPhrases(text, "prose").map((phrase) => [text, phrase])),
      ],
      [],
    );
  });
});
