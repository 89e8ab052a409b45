/** The keys that sign tokens: the next one, those that sign, and those that are retired. */
import { useQuery } from '@tanstack/react-query';
import { ask, mutate } from '../graph';
import type { SigningKeysQuery } from '../operations/generated/graph';
import { rotateSigningKey, signingKeys } from '../operations/generated/keys';
import { readToEnd } from '../readToEnd';
import { Answered } from '../record/Answered';
import { useMay } from '../session';
import { Badge, type Tone } from '../ui/Badge';
import { Icon } from '../ui/icons';
import { Time } from '../ui/Time';
import { type Act, useAct } from '../ui/useAct';
import '../theme/timeline.css';

type Key = NonNullable<SigningKeysQuery['signingKeys']>['nodes'][number];

const order: Record<string, number> = { next: 0, active: 1 };
/** Orders keys by their states; those of renewal tokens follow those of access tokens. */
const rank = ({ state, alg }: Key): number => 2 * (order[state] ?? 2) + Number(isOfRenewals(alg));

/** Renewal tokens have a key of their own, which is published to nobody. */
const isOfRenewals = (alg: string): boolean => alg === 'HS256';

const rotation: Act = {
  title: 'Let the next key sign?',
  question:
    'The next key signs from now on, and a new next one is published. Tokens that were issued stay valid: the key that signed them is still published.',
  label: 'Rotate',
  run: async () => `${(await mutate(rotateSigningKey, {})).rotateSigningKey.kid} signs now.`,
};

export function Keys() {
  const page = useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => readToEnd(async (page) => (await ask(signingKeys, page, signal)).signingKeys),
  });
  const mayChange = useMay('admin:security');
  const { ask: question, dialog } = useAct('keys', () => rotation);
  return (
    <Answered query={page}>
      {(keys) => (
        <div className="page">
          <div className="head">
            <div>
              <h1>Signing keys</h1>
              <p className="sub">
                What signs access tokens and is published to APIs; and what renewal tokens are signed with, which is
                not.
              </p>
            </div>
            <div className="head-acts">
              {mayChange && (
                <button type="button" className="button primary" onClick={() => question('rotate')}>
                  <Icon name="key" size={16} />
                  Rotate…
                </button>
              )}
            </div>
          </div>
          <section className="card" aria-label="Keys">
            <ol className="timeline">
              {[...keys]
                .sort((one, other) => rank(one) - rank(other) || other.createdAt.localeCompare(one.createdAt))
                .map((key) => (
                  <KeyItem key={key.kid} signingKey={key} />
                ))}
            </ol>
          </section>
          {dialog}
        </div>
      )}
    </Answered>
  );
}

const tones: Record<string, Tone> = { next: 'none', active: 'accent' };
const words: Record<string, string> = { active: 'signing' };

const KeyItem = ({ signingKey: { kid, alg, state, createdAt, activatedAt, retiredAt } }: { signingKey: Key }) => (
  <li className={state === 'active' ? 'now' : undefined}>
    <Badge tone={tones[state] ?? 'none'}>{words[state] ?? state}</Badge> <b>{alg}</b>{' '}
    {isOfRenewals(alg) && 'of renewal tokens '}
    <code>{kid}</code>
    <p className="when">
      made <Time iso={createdAt} />
      {activatedAt && (
        <>
          , signed from <Time iso={activatedAt} />
        </>
      )}
      {retiredAt && (
        <>
          , retired <Time iso={retiredAt} />
        </>
      )}
    </p>
  </li>
);
