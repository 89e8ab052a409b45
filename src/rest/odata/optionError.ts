/** What is wrong with a query option, written so that a caller can find the place. */
/** One fault of one option. The face answers it as a 400 keyed by `option`. */
export class OptionError extends Error {
  /** Counts UTF-16 code units of the option's decoded value, from 0; absent where a fault has no place. */
  readonly position?: number;

  /** @param option the canonical name: `$` and lower case, or `options` */
  constructor(
    readonly option: string,
    text: string,
    position?: number,
  ) {
    super(position === undefined ? text : `${text} at position ${position}`);
    this.name = 'OptionError';
    if (position !== undefined) this.position = position;
  }
}

/** All faults of one query string, in the order in which its options stand there; never empty. */
export class OptionErrors extends Error {
  constructor(readonly errors: readonly OptionError[]) {
    super(errors.map((error) => `${error.option}: ${error.message}`).join('; '));
    this.name = 'OptionErrors';
  }
}

/** A piece of the caller's text as messages quote it: never longer than 40 characters. */
export function quote(text: string): string {
  const characters = Array.from(text.slice(0, 82));
  return `'${characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : text}'`;
}
