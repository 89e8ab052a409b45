/** A new profile. */
import type { CreateProfileInput } from '../operations/generated/graph';
import { profileIsNew } from '../record/formField';
import { NewRecord } from '../record/NewRecord';
import { profileFields } from './Profile';

const fields = [
  {
    name: 'profileId',
    isRequired: true,
    charactersMax: 50,
    hint: 'Its name in tokens. It cannot be changed later.',
    lookUp: profileIsNew,
  },
  ...profileFields,
];

export const NewProfile = () => (
  <NewRecord
    kind="profile"
    to="/profiles"
    label="Profiles"
    title="New profile"
    sub="It has no access scope at first, and nobody holds it."
    fields={fields}
    member="createProfile"
    change={(_guid, input) => ({ createProfile: { input: input as CreateProfileInput } })}
  />
);
