/** What query options may name: the documented fields of one record and the records that it leads to. */
export type PropertyType = 'string' | 'integer' | 'boolean' | 'guid' | 'dateTime';

export interface OdataProperty {
  type: PropertyType;
  nullable: boolean;
}

/** One per record. Navigations are thunks because records lead back to each other. */
export interface OdataModel {
  /** Scalars by their documented camelCase names. */
  properties: Record<string, OdataProperty>;
  toOne: Record<string, () => OdataModel>;
  toMany: Record<string, () => OdataModel>;
}

/** Undefined when the record has no such scalar: names that every JavaScript object inherits count as unknown. */
export function findProperty(model: OdataModel, name: string): OdataProperty | undefined {
  return Object.hasOwn(model.properties, name) ? model.properties[name] : undefined;
}

/** The record behind a to-one navigation; undefined when there is none of this name. */
export function findToOne(model: OdataModel, name: string): OdataModel | undefined {
  return Object.hasOwn(model.toOne, name) ? model.toOne[name]?.() : undefined;
}

/** The records behind a to-many navigation; undefined when there is none of this name. */
export function findToMany(model: OdataModel, name: string): OdataModel | undefined {
  return Object.hasOwn(model.toMany, name) ? model.toMany[name]?.() : undefined;
}

/** The record behind a navigation of either kind; undefined when there is none of this name. */
export function findNavigation(model: OdataModel, name: string): OdataModel | undefined {
  return findToOne(model, name) ?? findToMany(model, name);
}

/** The names of all navigations of a record. */
export function navigationNames(model: OdataModel): string[] {
  return [...Object.keys(model.toOne), ...Object.keys(model.toMany)];
}
