/** What reading a filter keeps in mind: the place in the text, what names mean here, and how much has been read. */
import { nestingMax, nodesMax } from './limits.js';
import type { OdataModel } from './model.js';
import { Tokens } from './tokens.js';

/** The root of paths that begin at the listed record. */
export const itVariable = '$it';

/** A piece of the tree with the place where it begins. */
export interface Placed<Node> {
  node: Node;
  at: number;
}

export class Reader {
  readonly tokens: Tokens;
  /** The records that paths may begin at: `$it` and the lambda variables in sight. */
  readonly #roots: Map<string, OdataModel>;
  #depth = 0;
  #nodes = 0;

  /** Throws OptionError when the text is too long or holds what the database can't. */
  constructor(option: string, text: string, model: OdataModel) {
    this.tokens = new Tokens(option, text);
    this.#roots = new Map([[itVariable, model]]);
  }

  findRoot(name: string): OdataModel | undefined {
    return this.#roots.get(name);
  }

  /** How many lambda variables are in sight. */
  get lambdas(): number {
    return this.#roots.size - 1;
  }

  /** Counts a node of the tree. Throws OptionError past 100 nodes. */
  count(at: number): void {
    this.#nodes += 1;
    if (this.#nodes > nodesMax) throw this.tokens.fault(`More than ${nodesMax} operators, names and values`, at);
  }

  /** The same node with its place, counted. */
  place<Node>(node: Node, at: number): Placed<Node> {
    this.count(at);
    return { node, at };
  }

  /** Reads one level deeper. Throws OptionError past 15 levels, so that no text makes the stack deep. */
  deepen<Result>(at: number, read: () => Result): Result {
    if (this.#depth === nestingMax) throw this.tokens.fault(`Nested deeper than ${nestingMax} levels`, at);
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }

  /** Reads with a lambda variable in sight. */
  withVariable<Result>(variable: string, model: OdataModel, read: () => Result): Result {
    this.#roots.set(variable, model);
    const result = read();
    this.#roots.delete(variable);
    return result;
  }
}
