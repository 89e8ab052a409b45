/** How far each owner of a review is, with the address of that owner's part. */
import { Link } from '@tanstack/react-router';
import { ask } from '../../graph';
import { reviewOwners } from '../../operations/generated/reviews';
import { Bar } from '../../ui/Bar';
import { copyRefused, useCopied } from '../../ui/CopyText';
import { Sheet } from '../../ui/Dialog';
import { Empty } from '../../ui/Empty';
import { PartList, useParts } from '../../ui/PartList';
import { plural } from '../../words';

/** In the address, in place of an id. */
export const ownerless = '-';

/** Members of the address that show the part of an owner; undefined: of those without one. */
export const partOf = (profileId: string | undefined) => ({ view: 'all', owner: profileId ?? ownerless });

const ownersInPart = 50;

export function Owners({ reviewGuid, onClose }: { reviewGuid: string; onClose: () => void }) {
  const parts = useParts(['reviews', 'owners', reviewGuid], async (after, signal) => {
    return (await ask(reviewOwners, { reviewGuid, first: ownersInPart, after }, signal)).review?.owners;
  });
  const addressOf = (search: Record<string, string>) =>
    new URL(`reviews/${reviewGuid}?${new URLSearchParams(search)}`, document.baseURI).href;
  return (
    <Sheet
      title="Progress by owner"
      sub="Gatehouse sends no mail: copy the link of a part and send it to its owner."
      onClose={onClose}
      foot={
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      }
    >
      <PartList parts={parts} empty={<Empty icon="check" title="The review has no grants" />}>
        {(rows) => (
          <ul className="review-owners">
            {rows.map(({ owner, decided, total }) => {
              const name = owner?.name ?? 'Without an owner';
              return (
                <li key={owner?.profileId ?? ''}>
                  <span className="two-lines">
                    <b>{name}</b>
                    <small>{owner ? `Holders of ${owner.profileId} decide` : 'Decided with admin:security'}</small>
                  </span>
                  <span className="grow" />
                  <Bar label={`${name}: decided`} done={decided} of={total} />
                  <Link
                    to="/reviews/$guid"
                    params={{ guid: reviewGuid }}
                    search={partOf(owner?.profileId) as never}
                    onClick={onClose}
                  >
                    {decided.toLocaleString('en')} of {plural(total, 'grant')}
                  </Link>
                  <CopyLink name={name} address={addressOf({ owner: owner?.profileId ?? ownerless })} />
                </li>
              );
            })}
          </ul>
        )}
      </PartList>
    </Sheet>
  );
}

/** Where the browser does not allow copying, the address can be selected. */
function CopyLink({ name, address }: { name: string; address: string }) {
  const [isCopied, copy] = useCopied(address);
  return (
    <>
      <button
        type="button"
        className="button small"
        aria-label={`${isCopied ? 'Copied' : 'Copy link'}: ${name}`}
        onClick={() => void copy()}
      >
        {isCopied ? 'Copied' : 'Copy link'}
      </button>
      {isCopied === false && (
        <p role="alert">
          {copyRefused} <code>{address}</code>
        </p>
      )}
    </>
  );
}
