/** The keys that sign security event tokens (RS256, as the CAEP interoperability profile wants it), and the secrets of streams. */
import { isSealedWith, openStreamSecret, sealStreamSecret } from '../../auth/keyRing.js';
import { generateSigningKey } from '../../auth/newSigningKey.js';
import type { Dependencies } from '../../context.js';
import { lockKeys } from '../../services/keys/keyStore.js';
import type { Sql } from '../../sql.js';

type KeyOwner = Pick<Dependencies, 'encryptionKeys' | 'config'>;

/** Makes the first key, which signs at once, and the next one, which is published until it does. */
export async function ensureEventKey(owner: KeyOwner, sql: Sql): Promise<void> {
  const before = await countKeys(sql);
  if (before.active > 0 && before.next > 0) return;
  await lockKeys(sql);
  const { active, next } = await countKeys(sql);
  if (active === 0) await insert(owner, sql, 'now()');
  if (next === 0) await insert(owner, sql, 'null');
}

const count = `select count(*) filter (where activated_at is not null)::int as active, count(*) filter (where activated_at is null)::int as next
  from signing_keys where state = 'events'`;

async function countKeys(sql: Sql): Promise<{ active: number; next: number }> {
  const [counts] = await sql.rows<{ active: number; next: number }>(count);
  return counts!;
}

async function insert({ encryptionKeys }: KeyOwner, sql: Sql, activatedAt: string): Promise<void> {
  const key = await generateSigningKey('RS256', encryptionKeys[0]!);
  await sql.rows(
    `insert into signing_keys (kid, alg, state, public_jwk, private_ciphertext, activated_at)
     values ($1, 'RS256', 'events', $2, $3, ${activatedAt})`,
    [key.kid, key.publicJwk, key.privateCiphertext],
  );
}

/** Lets the next key sign, KEY_ROTATION_DAYS after the present one began, and publishes another. */
export const rotateEventKey = (owner: KeyOwner, sql: Sql): Promise<void> =>
  sql.transaction(async (own) => {
    const { keyRotationDays: days } = owner.config;
    if (days === 0) return;
    await lockKeys(own);
    const [due] = await own.rows<{ kid: string; next: string }>(
      `select active.kid, next.kid as next from signing_keys active, signing_keys next
       where active.state = 'events' and active.activated_at <= now() - make_interval(days => $1)
         and exists (select from event_streams where kind <> 'webhook')
         and next.state = 'events' and next.activated_at is null and next.created_at <= now() - interval '1 day' limit 1`,
      [days],
    );
    if (!due) return;
    await own.rows(`update signing_keys set state = 'retired', retired_at = now() where kid = $1`, [due.kid]);
    await own.rows('update signing_keys set activated_at = now() where kid = $1', [due.next]);
    await insert(owner, own, 'null');
  });

interface Secrets {
  guid: string;
  secret: Buffer | null;
  previous: Buffer | null;
}

/** Encrypts with the first encryption key what another one encrypted, as the maintenance of signing keys does. What none opens stays. */
export async function resealSecrets({ encryptionKeys }: Pick<KeyOwner, 'encryptionKeys'>, sql: Sql): Promise<void> {
  const [first] = encryptionKeys;
  const rows = await sql.rows<Secrets>(
    `select event_stream_guid::text as guid, secret_ciphertext as secret, previous_secret_ciphertext as previous
     from event_streams where secret_ciphertext is not null`,
  );
  for (const { guid, secret, previous } of rows) {
    const reseal = (sealed: Buffer | null): Buffer | null => {
      if (!sealed || isSealedWith(sealed, first!)) return sealed;
      try {
        return sealStreamSecret(openStreamSecret(sealed, guid, encryptionKeys), guid, first!);
      } catch {
        // the delivery says so
        return sealed;
      }
    };
    const [newSecret, newPrevious] = [reseal(secret), reseal(previous)];
    if (newSecret !== secret || newPrevious !== previous)
      // a secret that was rotated meanwhile stays
      await sql.rows(
        `update event_streams set secret_ciphertext = $2, previous_secret_ciphertext = $3
         where event_stream_guid = $1::uuid and secret_ciphertext = $4 and previous_secret_ciphertext is not distinct from $5`,
        [guid, newSecret, newPrevious, secret, previous],
      );
  }
}
