/** The input type of changes, with a member for each kind. */
import { Field, InputType } from 'type-graphql';
import { argumentsOf } from '../../../graphql/schema/arguments.js';
import { inputType, OneOf } from '../../../graphql/schema/operations.js';
import { kinds } from '../kinds/all.js';

@OneOf
@InputType({ description: 'A change. Exactly one field is required.' })
export class ChangeInput {}

for (const { name, input } of kinds) {
  const own = input && inputType(input.type, input.doc, input.fields);
  Field(() => own ?? argumentsOf(name), {
    nullable: true,
    description: input?.does ?? `The same as the mutation ${name}.`,
  })(ChangeInput.prototype, name);
}
