/** The work of a bcrypt thread (clientSecret.ts). It runs synchronously here, so that Node's own thread pool stays free. */
import bcrypt from 'bcrypt';

export const compare = ({ secret, hash }: { secret: string; hash: string }): boolean =>
  bcrypt.compareSync(secret, hash);

export const hash = ({ secret, cost }: { secret: string; cost: number }): string => bcrypt.hashSync(secret, cost);
