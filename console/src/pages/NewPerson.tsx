/** A new person, with what an ID token needs to sign that person in, and those who have the e-mail address already. */
import type { CreateUserInput } from '../operations/generated/graph';
import type { FormField, Values } from '../record/formField';
import { NewRecord, useNewGuid } from '../record/NewRecord';
import type { Form } from '../record/SettingsCard';
import { personFields, personInput } from './user/fields';
import { SameEmail } from './user/SameEmail';
import { isGuid, SignInNeeds, useSignInNeeds } from './user/SignInNeeds';
import '../theme/person.css';

const required: ReadonlySet<string> = new Set(['lastName', 'email']);
const guidField: FormField = {
  name: 'userGuid',
  label: 'Guid',
  width: 4,
  charactersMax: 36,
  hint: 'The sub of access tokens. Without one, the person gets a new one.',
  check: (text) => (isGuid(text) ? undefined : 'A guid has 32 hexadecimal digits and four hyphens.'),
};

export function NewPerson() {
  const guid = useNewGuid('createUser');
  // with the answer that the form begins with
  const providers = (useSignInNeeds({ userGuid: guid, idpname: null, idpid: null }).data ?? []).map(
    ({ idpname }) => idpname,
  );
  const fields = personFields(providers).map((field) => ({ ...field, isRequired: required.has(field.name) }));
  return (
    <NewRecord
      kind="user"
      to="/users"
      label="Users"
      title="New person"
      sub="The identity provider signs the person in. Without a profile, the person opens no application."
      fields={[...fields, guidField]}
      member="createUser"
      guid={guid}
      change={(_, input) => ({ createUser: { input: withGuid(guid, input) } })}
      frame={(_, form) => <Frame guid={guid} form={form} />}
    />
  );
}

const withGuid = (guid: string, input: Values): CreateUserInput => {
  const given = personInput(input);
  return { ...given, userGuid: (given.userGuid as string | null) ?? guid };
};

function Frame({ guid, form: { card, values } }: { guid: string; form: Form }) {
  const textOf = (name: string) => (typeof values[name] === 'string' && values[name] !== '' ? values[name] : null);
  const given = textOf('userGuid');
  const needs = useSignInNeeds({
    userGuid: given && isGuid(given) ? given : guid,
    idpname: textOf('idpname'),
    idpid: textOf('idpid'),
  });
  return (
    <div className="person-cards">
      {card}
      <div className="stack">
        <SameEmail email={textOf('email') ?? ''} />
        <SignInNeeds needs={needs} />
      </div>
    </div>
  );
}
