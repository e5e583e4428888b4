/** In place of the migration of a database: the tables are declared, as they are in the program. */
import { type TableShape, toTableShape } from "../../../src/store/postgres/shape.ts";
import type { Collection } from "../../../src/store/store.ts";
import { getWorld } from "../kernel/current.ts";

/** They follow from the declarations alone, and take longer than all else at a start. */
const shapesOfCollections = new WeakMap<Collection, TableShape>();

export async function prepareDatabase({
  name,
  collections,
}: {
  readonly name: string;
  readonly collections: readonly Collection[];
}): Promise<TableShape[]> {
  const shapes = collections.map((collection) => {
    const known = shapesOfCollections.get(collection);
    const shape = known?.tableName.startsWith(name) === true ? known : toTableShape(name, collection);
    shapesOfCollections.set(collection, shape);
    return shape;
  });
  for (const { tableName, collection } of shapes) getWorld().database?.declare(tableName, collection);
  return shapes;
}

export const readDatabaseShape = prepareDatabase;
