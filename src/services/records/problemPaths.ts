/** The paths of problems: where in the arguments of an operation each one is. */
import { GatehouseError } from '../../errors.js';

/**
 * Puts the name of an argument before the paths of a service's problems: `name` becomes `input.name`.
 * @param only the member of the service's items of which the argument lists the values: `[2].guid` becomes `guids[2]`
 */
export async function under<T>(argument: string, work: Promise<T>, only?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof GatehouseError) || !error.more.problems) throw error;
    const problems = Object.entries(error.more.problems).map(([path, messages]) => [
      place(argument, path, only),
      messages,
    ]);
    throw new GatehouseError(error.code, error.message, { ...error.more, problems: Object.fromEntries(problems) });
  }
}

function place(argument: string, path: string, only: string | undefined): string {
  if (path === '$') return argument;
  const inner = only && path.endsWith(`].${only}`) ? path.slice(0, -only.length - 1) : path;
  return `${argument}${inner.startsWith('[') ? '' : '.'}${inner}`;
}
