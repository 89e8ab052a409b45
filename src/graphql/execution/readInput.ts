/** Reads a value by a type of the schema outside an operation, with the limits and the words of variables. */
import { type GraphQLInputType, parseType, typeFromAST } from 'graphql';
import { badInput, type Problems } from '../../errors.js';
import { openSchema } from '../schema.js';
import { Coercion, ProblemList, TooManyProblems } from './inputs.js';

const [problemsMax, valuesMax] = [50, 10_000];

/** @param type such as `[UserOrderBy!]` @param name of the value, in the paths of problems. Throws BAD_USER_INPUT and TOO_LARGE. */
export function readInput(type: string, name: string, value: unknown): unknown {
  const problems = new ProblemList(problemsMax);
  const coercion = new Coercion(problems, valuesMax);
  const declared = typeFromAST(openSchema(), parseType(type) as never) as GraphQLInputType;
  let isWhole = true;
  let read: unknown;
  try {
    read = coercion.read(value, declared, { root: undefined, path: [name] });
  } catch (error) {
    if (!(error instanceof TooManyProblems)) throw error;
    isWhole = false;
  }
  const found: Problems = Object.assign({}, ...problems.problems().map(([, own]) => own));
  if (Object.keys(found).length > 0) throw badInput(found, isWhole);
  return read;
}
