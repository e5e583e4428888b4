/** The structure of a tagged PDF (ISO 32000-1 section 14.7): what programs read aloud, in which order. */
import type { PDFDocument, PDFPage, PDFRef } from "@cantoo/pdf-lib";
import type { PdfLibrary } from "./pdf-fonts.ts";

export type StructureType = "Document" | "Figure" | "H1" | "P" | "Table" | "TR" | "TH" | "TD";

/** An element; marks on pages name it. */
export interface StructureElement {
  readonly type: StructureType;
  readonly children: StructureElement[];
  /** Of header cells. */
  readonly scope?: "Column" | "Row" | undefined;
  /** Of figures. */
  readonly alt?: string | undefined;
}

export function structure(
  type: StructureType,
  more: Pick<StructureElement, "scope" | "alt"> = {},
): StructureElement {
  return { type, children: [], ...more };
}

/** Where the content of elements is: pages with the numbers that marked content has on them. */
export class StructureWriter {
  readonly #library: PdfLibrary;
  readonly #document: PDFDocument;
  readonly #refs = new Map<StructureElement, PDFRef>();
  readonly #content = new Map<StructureElement, { page: PDFPage; id: number }[]>();
  readonly #pages: { page: PDFPage; elements: StructureElement[] }[] = [];

  constructor(library: PdfLibrary, document: PDFDocument) {
    this.#library = library;
    this.#document = document;
  }

  addPage(page: PDFPage): void {
    const { PDFName, PDFNumber } = this.#library;
    page.node.set(PDFName.of("StructParents"), PDFNumber.of(this.#pages.length));
    page.node.set(PDFName.of("Tabs"), PDFName.of("S"));
    this.#pages.push({ page, elements: [] });
  }

  /** The number of the next content of an element on the last page. */
  mark(element: StructureElement): number {
    const last = this.#pages.at(-1);
    if (last === undefined) throw new RangeError("There is no page yet");
    const id = last.elements.push(element) - 1;
    const content = this.#content.get(element) ?? [];
    content.push({ page: last.page, id });
    this.#content.set(element, content);
    return id;
  }

  #refOf(element: StructureElement): PDFRef {
    const known = this.#refs.get(element);
    if (known !== undefined) return known;
    const ref = this.#document.context.nextRef();
    this.#refs.set(element, ref);
    return ref;
  }

  #write(element: StructureElement, parent: PDFRef): void {
    const { PDFName, PDFNumber, PDFHexString } = this.#library;
    const { context } = this.#document;
    const { type, children, scope, alt } = element;
    const ref = this.#refOf(element);
    const content = (this.#content.get(element) ?? []).map(({ page, id }) =>
      context.obj({ Type: "MCR", Pg: page.ref, MCID: PDFNumber.of(id) }),
    );
    const members = context.obj({
      Type: "StructElem",
      S: type,
      P: parent,
      K: [...content, ...children.map((child) => this.#refOf(child))],
    });
    if (scope !== undefined) members.set(PDFName.of("A"), context.obj({ O: "Table", Scope: scope }));
    if (alt !== undefined) members.set(PDFName.of("Alt"), PDFHexString.fromText(alt));
    context.assign(ref, members);
    for (const child of children) this.#write(child, ref);
  }

  /** Writes the tree, after all pages. */
  finish(root: StructureElement): void {
    const { PDFName } = this.#library;
    const { context, catalog } = this.#document;
    const tree = context.nextRef();
    const numbers = this.#pages.flatMap(({ elements }, index) => [
      index,
      context.register(context.obj(elements.map((element) => this.#refOf(element)))),
    ]);
    const members = {
      Type: "StructTreeRoot",
      K: this.#refOf(root),
      ParentTree: { Nums: numbers },
      ParentTreeNextKey: this.#pages.length,
    };
    context.assign(tree, context.obj(members));
    this.#write(root, tree);
    catalog.set(PDFName.of("StructTreeRoot"), tree);
    catalog.set(PDFName.of("MarkInfo"), context.obj({ Marked: true }));
  }
}
