/** What a thread of bcryptThreads.ts runs. It waits for the processor here, so that the pool of Node's own threads stays free. */
import bcrypt from 'bcrypt';

export const compare = ({ secret, hash }: { secret: string; hash: string }): boolean =>
  bcrypt.compareSync(secret, hash);

export const hash = ({ secret, cost }: { secret: string; cost: number }): string => bcrypt.hashSync(secret, cost);
