/** Layout of a printed document on its pages. */
import { type StructureElement, structure } from "./pdf-structure.ts";
import type { Mark, PrintDocument, PrintLogo, PrintRow } from "./print-document.ts";

/** Room around the text, in points. */
const SIDE = 54;
const TOP = 54;
const BOTTOM = 72;
const SIZE = 9.5;
const SMALL = 8;
const LEADING = 1.4;
const GAP = 12;
/** The most that the logo takes, in points. */
const LOGO_WIDTH = 150;
const LOGO_HEIGHT = 48;

export interface PageOptions {
  /** The width of a text, in points. */
  readonly measure: (text: string, size: number, isBold: boolean) => number;
  readonly width: number;
  readonly height: number;
}

interface Style {
  readonly size: number;
  readonly isBold?: boolean;
  readonly grey?: number;
}

/** Words with the blanks behind them; Chinese may break after every character. */
const PIECES = /[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s*|\s+/gu;

/** The end of a line that goes on: programs that read aloud see the blank. */
function endLine(line: string): string {
  const trimmed = line.trimEnd();
  return trimmed === line ? line : `${trimmed} `;
}

/** Breaks a text into lines of a width; what is too long for one is cut. */
function wrap(text: string, room: number, fits: (line: string) => number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    const take = (piece: string): void => {
      if (line !== "" && fits((line + piece).trimEnd()) > room) {
        lines.push(endLine(line));
        line = "";
      }
      line += piece;
    };
    for (const piece of paragraph.match(PIECES) ?? []) {
      if (fits(piece.trimEnd()) <= room) take(piece);
      else for (const letter of piece) take(letter);
    }
    lines.push(line.trimEnd());
  }
  return lines;
}

/** Writes from the top down, on a new page when the current one is full. */
class Writer {
  readonly pages: Mark[][] = [];
  readonly options: PageOptions;
  readonly root: StructureElement = structure("Document");
  /** Called at the top of each further page. */
  onPage: (() => void) | undefined;
  #y = 0;
  #element: StructureElement | undefined;

  constructor(options: PageOptions) {
    this.options = options;
    this.#add();
  }

  get room(): number {
    return this.options.width - 2 * SIDE;
  }

  get y(): number {
    return this.#y;
  }

  set y(value: number) {
    this.#y = value;
  }

  #add(): void {
    this.pages.push([]);
    this.#y = this.options.height - TOP;
  }

  /** Goes on a new page unless there is so much room left. */
  need(height: number): void {
    if (this.#y - height >= BOTTOM) return;
    this.#add();
    // What repeats is no part of an element.
    this.within(undefined, () => this.onPage?.());
  }

  put(mark: Mark): void {
    this.pages.at(-1)?.push(mark.kind === "rule" ? mark : { ...mark, element: this.#element });
  }

  /** Writes what belongs to an element. */
  within(element: StructureElement | undefined, write: () => void): void {
    const before = this.#element;
    this.#element = element;
    write();
    this.#element = before;
  }

  /** Adds an element, and writes what belongs to it. */
  add(parent: StructureElement, element: StructureElement, write: () => void): void {
    parent.children.push(element);
    this.within(element, write);
  }

  lines(text: string, room: number, { size, isBold = false }: Style): string[] {
    return wrap(text, room, (line) => this.options.measure(line, size, isBold));
  }

  /** One line, with its first baseline `down` below the current position. */
  text(
    text: string,
    { x, down, right }: { x: number; down: number; right?: number },
    { size, isBold = false, grey = 0 }: Style,
  ): void {
    const at = right === undefined ? x : right - this.options.measure(text, size, isBold);
    this.put({ kind: "text", text, x: at, y: this.#y - down, size, isBold, grey });
  }

  /** A block of lines from `x` on; the place is below it then. */
  block(
    text: string,
    style: Style,
    { x = SIDE, room = this.room }: { x?: number; room?: number } = {},
  ): void {
    const step = style.size * LEADING;
    for (const line of this.lines(text, room, style)) {
      this.need(step);
      this.text(line, { x, down: style.size }, style);
      this.#y -= step;
    }
  }

  rule(x = SIDE, width = this.room): void {
    this.put({ kind: "rule", x, y: this.#y, width });
  }
}

function writeLogo(writer: Writer, { size, alt }: PrintLogo): void {
  if (size === undefined) return;
  const scale = Math.min(LOGO_WIDTH / size.width, LOGO_HEIGHT / size.height);
  const [width, height] = [size.width * scale, size.height * scale];
  writer.add(writer.root, structure("Figure", { alt }), () => {
    writer.put({ kind: "logo", x: SIDE + writer.room / 2 + GAP, y: writer.y - height, width, height });
  });
  writer.y -= height + 14;
}

function writeHead(writer: Writer, { sender, recipient, title, facts, logo }: PrintDocument): void {
  if (logo !== undefined) writeLogo(writer, logo);
  const half = writer.room / 2 - GAP;
  const top = writer.y;
  const x = SIDE + writer.room / 2 + GAP;
  for (const line of recipient)
    writer.add(writer.root, structure("P"), () => writer.block(line, { size: SIZE }, { room: half }));
  const left = writer.y;
  writer.y = top;
  for (const [index, line] of sender.entries())
    writer.add(writer.root, structure("P"), () =>
      writer.block(line, { size: SMALL, isBold: index === 0, grey: 0.25 }, { x, room: half }),
    );
  writer.y = Math.min(left, writer.y) - 30;
  writer.add(writer.root, structure("H1"), () => writer.block(title, { size: 17, isBold: true }));
  writer.y -= 6;
  const labels = Math.max(...facts.map(([label]) => writer.options.measure(label, SIZE, false)), 0) + GAP;
  const table = structure("Table");
  if (facts.length > 0) writer.root.children.push(table);
  for (const [label, value] of facts) {
    writer.need(SIZE * LEADING);
    const row = structure("TR");
    table.children.push(row);
    writer.add(row, structure("TH", { scope: "Row" }), () =>
      writer.text(label, { x: SIDE, down: SIZE }, { size: SIZE, grey: 0.35 }),
    );
    writer.add(row, structure("TD"), () =>
      writer.block(value, { size: SIZE }, { x: SIDE + labels, room: writer.room - labels }),
    );
  }
  writer.y -= 14;
}

interface Columns {
  /** Right edges of all but the first. */
  readonly edges: readonly number[];
  readonly firstRoom: number;
}

/** Columns of numbers are as wide as what is in them. */
function toColumns(writer: Writer, { columns, rows }: PrintDocument): Columns {
  const { measure } = writer.options;
  const widths = columns.slice(1).map(({ label }, index) => {
    const cells = rows.map((row) => measure(row.cells[index + 1] ?? "", SIZE, false));
    return cells.reduce((most, width) => Math.max(most, width), measure(label, SMALL, true)) + GAP;
  });
  const edges = widths.map((_width, index) => {
    const after = widths.slice(index + 1).reduce((sum, width) => sum + width, 0);
    return SIDE + writer.room - after;
  });
  const taken = widths.reduce((sum, width) => sum + width, 0);
  return { edges, firstRoom: Math.max(120, writer.room - taken - GAP) };
}

function writeRow(
  writer: Writer,
  table: StructureElement,
  { row: { cells, details = [] }, columns: { edges, firstRoom } }: { row: PrintRow; columns: Columns },
): void {
  const [first = "", ...numbers] = cells;
  const title = writer.lines(first, firstRoom, { size: SIZE });
  const small = details.map((text) => writer.lines(text, firstRoom, { size: SMALL }));
  const height = title.length * SIZE * LEADING + small.flat().length * SMALL * LEADING + 8;
  writer.need(height);
  const top = writer.y;
  const row = structure("TR");
  table.children.push(row);
  writer.y -= 4;
  const cell = structure("TD");
  row.children.push(cell);
  writer.add(cell, structure("P"), () => {
    for (const line of title) {
      writer.text(line, { x: SIDE, down: SIZE }, { size: SIZE });
      writer.y -= SIZE * LEADING;
    }
  });
  for (const lines of small)
    writer.add(cell, structure("P"), () => {
      for (const line of lines) {
        writer.text(line, { x: SIDE, down: SMALL }, { size: SMALL, grey: 0.35 });
        writer.y -= SMALL * LEADING;
      }
    });
  writer.y = top - 4;
  numbers.forEach((text, index) =>
    writer.add(row, structure("TD"), () =>
      writer.text(text, { x: SIDE, down: SIZE, right: edges[index] ?? SIDE }, { size: SIZE }),
    ),
  );
  writer.y = top - height;
  writer.rule();
}

function writeTable(writer: Writer, document: PrintDocument): void {
  if (document.columns.length === 0) return;
  const columns = toColumns(writer, document);
  const table = structure("Table");
  writer.root.children.push(table);
  const writeLabels = (heads: readonly StructureElement[]): void => {
    document.columns.forEach(({ label }, index) => {
      const right = index === 0 ? undefined : columns.edges[index - 1];
      writer.within(heads[index], () =>
        writer.text(label, { x: SIDE, down: SMALL, right }, { size: SMALL, isBold: true }),
      );
    });
    writer.y -= SMALL * LEADING + 3;
    writer.rule();
  };
  writer.need(60);
  const head = structure("TR");
  table.children.push(head);
  head.children.push(...document.columns.map(() => structure("TH", { scope: "Column" })));
  writeLabels(head.children);
  writer.onPage = () => writeLabels([]);
  for (const row of document.rows) writeRow(writer, table, { row, columns });
  writer.onPage = undefined;
}

function writeSums(writer: Writer, { sums }: PrintDocument): void {
  const right = SIDE + writer.room;
  const step = SIZE * LEADING;
  writer.y -= 10;
  writer.need(sums.length * step + 6);
  const table = structure("Table");
  if (sums.length > 0) writer.root.children.push(table);
  sums.forEach(([label, value], index) => {
    const isBold = index === sums.length - 1;
    const room = writer.room * 0.3;
    const [head, cell] = [structure("TH", { scope: "Row" }), structure("TD")];
    const row = structure("TR");
    row.children.push(head, cell);
    table.children.push(row);
    for (const [at, line] of writer.lines(label, room, { size: SIZE, isBold }).entries()) {
      writer.need(step);
      writer.within(head, () =>
        writer.text(line, { x: SIDE + writer.room * 0.5, down: SIZE }, { size: SIZE, isBold }),
      );
      if (at === 0)
        writer.within(cell, () => writer.text(value, { x: 0, down: SIZE, right }, { size: SIZE, isBold }));
      writer.y -= step;
    }
  });
  writer.y -= 14;
}

function writeSummary(writer: Writer, { summary }: PrintDocument): void {
  if (summary === undefined) return;
  const step = SMALL * LEADING + 2;
  const edge = (index: number): number => SIDE + 110 + index * 95;
  const all = [summary.columns, ...summary.rows];
  writer.need(Math.min(all.length, 4) * step);
  const table = structure("Table");
  writer.root.children.push(table);
  all.forEach((cells, row) => {
    writer.need(step);
    const line = structure("TR");
    table.children.push(line);
    cells.forEach((text, index) =>
      writer.add(line, row === 0 ? structure("TH", { scope: "Column" }) : structure("TD"), () =>
        writer.text(
          text,
          { x: SIDE, down: SMALL, right: index === 0 ? undefined : edge(index) },
          { size: SMALL, isBold: row === 0 },
        ),
      ),
    );
    writer.y -= step;
    if (row === 0) writer.rule(SIDE, edge(3) - SIDE);
  });
  writer.y -= 12;
}

/** Written below the text of each page. */
function writeFooters(writer: Writer, { pageWords, sender, facts }: PrintDocument): void {
  const { pages } = writer;
  const about = [sender[0], facts[0]?.[1]].filter((text) => text !== undefined).join(" · ");
  pages.forEach((marks, index) => {
    const words = pageWords.replace("{page}", String(index + 1)).replace("{pages}", String(pages.length));
    const right = SIDE + writer.room - writer.options.measure(words, SMALL, false);
    const common = { kind: "text", y: 36, size: SMALL, isBold: false, grey: 0.35 } as const;
    const [line = ""] = writer.lines(about, writer.room * 0.7, { size: SMALL });
    marks.push({ ...common, text: line, x: SIDE }, { ...common, text: words, x: right });
  });
}

/** Pages with their marks, and the structure that these belong to. */
export interface LaidOut {
  readonly pages: readonly (readonly Mark[])[];
  readonly root: StructureElement;
}

export function layOutPages(document: PrintDocument, options: PageOptions): LaidOut {
  const writer = new Writer(options);
  writeHead(writer, document);
  writeTable(writer, document);
  writeSums(writer, document);
  writeSummary(writer, document);
  for (const note of document.notes) {
    writer.add(writer.root, structure("P"), () => writer.block(note, { size: SIZE }));
    writer.y -= 3;
  }
  writer.y -= 10;
  for (const line of document.footer)
    writer.add(writer.root, structure("P"), () => writer.block(line, { size: SMALL, grey: 0.25 }));
  writeFooters(writer, document);
  return { pages: writer.pages, root: writer.root };
}
