/** The faults of an import file by the path of the value, such as `clients[1].clientSecret`: as many as one can read. */
import { badInput, type GatehouseError } from '../errors.js';

const toldMax = 100;

export class Faults {
  count = 0;
  private readonly paths = new Set<string>();
  private readonly told = new Map<string, string[]>();

  add(path: string, fault: string): void {
    this.count++;
    this.paths.add(path);
    const faults = this.told.get(path);
    if (faults) faults.push(fault);
    else if (this.told.size < toldMax) this.told.set(path, [fault]);
  }

  /** Whether one was told of that path. */
  has(path: string): boolean {
    return this.paths.has(path);
  }

  /** Throws BAD_USER_INPUT when there are any. */
  require(): void {
    if (this.count > 0) throw this.toError();
  }

  private toError(): GatehouseError {
    const untold = this.count - [...this.told.values()].flat().length;
    const more = untold > 0 ? [['…', [`and ${untold} more`]] as const] : [];
    return badInput(Object.fromEntries([...this.told, ...more]));
  }
}
