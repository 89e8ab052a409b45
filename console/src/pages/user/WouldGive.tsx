/** What a profile would give a person beside those that the person holds, as the service counts it. */
import type { ProfilesToGiveQuery } from '../../operations/generated/graph';
import { namesOf, plural } from '../../words';

export type Preview = ProfilesToGiveQuery['profiles']['nodes'][number]['wouldGive'];

/** Under the name of a profile that may be chosen. */
export function givesWords({ isHeld, opens, applications, scopes }: Preview, isBlocked: boolean): string {
  if (isHeld) return 'held already';
  if (isBlocked) return 'gives nothing while the person is blocked';
  if (applications + scopes === 0) return opens === 0 ? 'opens nothing today' : 'gives nothing new';
  const opened =
    opens === 0 ? 'opens nothing today' : applications > 0 && `opens ${plural(applications, 'application')}`;
  return [
    applications === 0 && opens > 0 ? 'opens nothing new' : opened,
    scopes > 0 && `gives ${plural(scopes, 'entry', 'entries')}`,
  ]
    .filter(Boolean)
    .join(', ');
}

interface WouldGiveProps {
  preview: Preview;
  /** The person who would get it. */
  name: string;
  isBlocked: boolean;
}

export function WouldGive({ preview, name, isBlocked }: WouldGiveProps) {
  const { isHeld, opens, applications, scopes, newApplications, entries } = preview;
  const names = newApplications.map((application) => application.name);
  return (
    <div className="would-give" role="status">
      {isHeld ? (
        <p>{name} holds it already, perhaps in another role.</p>
      ) : isBlocked ? (
        <p>{name} is blocked, and gains nothing until that ends.</p>
      ) : (
        <>
          <p>
            {applications > 0 ? (
              <>
                <b className="gain">Opens {plural(applications, 'application')}</b> for {name}:{' '}
                {namesOf(names, applications, names.length)}.
              </>
            ) : opens > 0 ? (
              `${name} can open the ${plural(opens, 'application')} of it already.`
            ) : (
              'It opens nothing today.'
            )}
            {applications > 0 &&
              opens > applications &&
              ` ${(opens - applications).toLocaleString('en')} more are open already.`}
          </p>
          {scopes > 0 && (
            <p>
              New entries of tokens: <code>{entries.join(' ')}</code>
              {scopes > entries.length && ` and ${(scopes - entries.length).toLocaleString('en')} more`}
            </p>
          )}
        </>
      )}
    </div>
  );
}
