/** Enumerations of the graph, made of what services name and a sentence for each. */
import { registerEnumType } from 'type-graphql';

/**
 * Declares one, and gives the type for fields of it. Its values are in the order of `values`.
 * @param nameOf what the graph calls a value; absent: the value itself
 */
export function declareEnum<Value extends string>(
  name: string,
  description: string,
  values: readonly Value[],
  docOf: Record<Value, string> | ((value: Value) => string),
  nameOf: (value: Value) => string = (value) => value,
): Record<string, Value> {
  const type = Object.fromEntries(values.map((value) => [nameOf(value), value]));
  const doc = typeof docOf === 'function' ? docOf : (value: Value) => docOf[value];
  const valuesConfig = Object.fromEntries(values.map((value) => [nameOf(value), { description: doc(value) }]));
  registerEnumType(type, { name, description, valuesConfig });
  return type;
}
