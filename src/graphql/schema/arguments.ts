/** The arguments of mutations as classes: each is also the input type of a change with the name of the mutation. */
import { Arg, ArgsType, Field, InputType, Int } from 'type-graphql';
import type { RecordClass } from '../../entities/description.js';

const classes = new Map<string, RecordClass>();

/** Makes the fields of a class the arguments of the mutation. */
export const ArgumentsOf =
  (mutation: string) =>
  (declared: RecordClass): void => {
    classes.set(mutation, declared);
    ArgsType()(declared);
    InputType(`${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Change`, {
      description: `The arguments of ${mutation}.`,
    })(declared);
  };

/** The input type with the arguments of a mutation. Throws for one without `@ArgumentsOf`. */
export function argumentsOf(mutation: string): RecordClass {
  const declared = classes.get(mutation);
  if (!declared) throw new Error(`no class has @ArgumentsOf('${mutation}')`);
  return declared;
}

const ifRevisionDoc =
  'The revision that the caller has read. If the record has changed since, the request fails with CONFLICT.';

/** The field with which a change avoids overwriting the change of somebody else. */
export const IfRevision = (description = ifRevisionDoc) => Field(() => Int, { nullable: true, description });
/** The same as an argument of its own. */
export const IfRevisionArg = () => Arg('ifRevision', () => Int, { nullable: true, description: ifRevisionDoc });
