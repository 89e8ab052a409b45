/** Who made a record and who changed it last. */
import { Time } from '../ui/Time';
import { fullName } from '../words';

interface Person {
  firstName: string | null;
  lastName: string | null;
}

interface StampsProps {
  createdDate: string;
  createdByNavigation: Person | null;
  modifiedDate: string | null;
  modifiedByNavigation: Person | null;
}

const by = (person: Person | null) => (person ? ` by ${fullName(person)}` : '');

export const Stamps = ({ createdDate, createdByNavigation, modifiedDate, modifiedByNavigation }: StampsProps) => (
  <p className="foot">
    Made <Time iso={createdDate} />
    {by(createdByNavigation)}
    {modifiedDate && (
      <>
        , changed <Time iso={modifiedDate} />
        {by(modifiedByNavigation)}
      </>
    )}
    .
  </p>
);
