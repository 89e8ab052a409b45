/** The ordering inputs: for each record one, made from its description. */
import { Field, InputType } from 'type-graphql';
import { describe, type RecordClass } from '../../entities/description.js';
import { orderable } from '../../services/graphReads/orderBy.js';
import { declareEnum } from './enums.js';
import { namedClass } from './filter.js';

const Direction = declareEnum('Direction', 'Which way an ordering goes.', ['ASC', 'DESC'], {
  ASC: 'Smallest first; those without a value before all.',
  DESC: 'Greatest first; those without a value after all.',
});

const inputs = new Map<RecordClass, RecordClass>();

/** The ordering input of a record, `ApplicationOrderBy`. */
export function orderByOf(record: RecordClass): RecordClass {
  const known = inputs.get(record);
  if (known) return known;
  const name = `${describe(record).name}OrderBy`;
  const input = namedClass(name);
  inputs.set(record, input);
  InputType(name, { description: 'One ordering: exactly one member is given.' })(input);
  const { fields, toOne } = orderable(record);
  for (const { name: field, doc } of fields)
    Field(() => Direction as never, { nullable: true, description: doc })(input.prototype, field);
  for (const { name: relation, target, doc } of toOne)
    Field(() => orderByOf(target()), { nullable: true, description: doc })(input.prototype, relation);
  return input;
}
