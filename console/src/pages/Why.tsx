/** Can this person open this application, and by which way; and if not, what would open it. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useAddress } from '../address';
import { all, applicationWords } from '../filters';
import { ask } from '../graph';
import type { WhyQuery } from '../operations/generated/graph';
import { pickApplications } from '../operations/generated/pickers';
import { why, whyApplication, whyPerson } from '../operations/generated/why';
import { usePeoplePicks } from '../picks';
import { Empty, Loading, NotFound } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { Icon } from '../ui/icons';
import { Picker } from '../ui/Picker';
import { fullName, nameAndMail } from '../words';
import { namedApart } from './why/answer';
import { Remedies } from './why/Remedies';
import { Verdict } from './why/Verdict';
import { Ways } from './why/Ways';
import '../theme/why.css';

interface Search {
  user?: string;
  application?: string;
}

export function Why() {
  const [{ user, application }] = useAddress<Search>();
  const answer = useQuery({
    queryKey: ['why', user, application],
    enabled: Boolean(user && application),
    queryFn: ({ signal }) => ask(why, { userGuid: user!, applicationGuid: application! }, signal),
  });
  // of one alone its name is asked; of both the answer has the names
  const person = useQuery({
    queryKey: ['why person', user],
    enabled: Boolean(user && !application),
    queryFn: ({ signal }) => ask(whyPerson, { userGuid: user! }, signal),
  });
  const target = useQuery({
    queryKey: ['why application', application],
    enabled: Boolean(application && !user),
    queryFn: ({ signal }) => ask(whyApplication, { applicationGuid: application! }, signal),
  });
  const fields = useRef<HTMLDivElement>(null);
  // what is typed next is the application's name
  const goOn = () => !application && fields.current?.querySelectorAll('input')[1]?.focus();
  const chosenUser = answer.data?.user ?? person.data?.user;
  const chosenApplication = answer.data?.application ?? target.data?.application;
  return (
    <div className="page">
      <div className="head">
        <div>
          <h1>Check access</h1>
          <p className="sub">Whether a person can open an application, and why.</p>
        </div>
      </div>
      <div className="ask" ref={fields}>
        <PersonPicker
          onPicked={goOn}
          value={user && chosenUser ? { id: user, label: nameAndMail(chosenUser) } : null}
        />
        <Icon name="arrow" />
        <ApplicationPicker
          value={application && chosenApplication ? { id: application, label: chosenApplication.name } : null}
        />
      </div>
      <Answer isAsked={Boolean(user && application)} answer={answer} />
    </div>
  );
}

function Answer({ isAsked, answer }: { isAsked: boolean; answer: UseQueryResult<WhyQuery> }) {
  if (!isAsked)
    return (
      <Empty icon="why" title="Choose a person and an application">
        The answer shows every way from one to the other, and where a way ends.
      </Empty>
    );
  if (answer.error && !answer.data) return <Failure isPage error={answer.error} retry={() => void answer.refetch()} />;
  if (!answer.data) return <Loading />;
  const { user, application, explainAccess } = answer.data;
  if (!user || !application) return <NotFound />;
  const ways = namedApart(explainAccess.ways);
  return (
    <>
      <Verdict explained={explainAccess} user={user} application={application} />
      <Ways explained={explainAccess} ways={ways} user={user} application={application} />
      {!explainAccess.isOpen && <Remedies ways={ways} user={user} application={application} />}
      <p className="foot">
        <Link className="link" to="/applications/$guid" params={{ guid: application.applicationGuid }}>
          All that opens {application.name}
        </Link>
        {' · '}
        <Link className="link" to="/users/$guid" params={{ guid: user.userGuid }}>
          All that {fullName(user)} can open
        </Link>
      </p>
    </>
  );
}

interface Chosen {
  value: { id: string; label: string } | null;
}

function PersonPicker({ value, onPicked }: Chosen & { onPicked: () => unknown }) {
  const [, change] = useAddress<Search>();
  const [text, setText] = useState<string>();
  const people = usePeoplePicks(text);
  return (
    <Picker
      label="Person"
      placeholder="Name or e-mail"
      round
      value={value}
      {...people}
      total={people.total}
      onText={setText}
      onPick={({ id }) => {
        change({ user: id });
        onPicked();
      }}
    />
  );
}

function ApplicationPicker({ value }: Chosen) {
  const [, change] = useAddress<Search>();
  const [text, setText] = useState<string>();
  const found = useQuery({
    queryKey: ['pick applications', text],
    enabled: text !== undefined,
    queryFn: ({ signal }) => ask(pickApplications, { filter: all(applicationWords(text)) ?? null }, signal),
  });
  const options = (found.data?.applications.nodes ?? []).map(({ applicationGuid, name, appType, isActive }) => ({
    id: applicationGuid,
    label: name,
    hint: isActive ? appType : 'out of use',
  }));
  return (
    <Picker
      label="Application"
      placeholder="Name of the application"
      value={value}
      options={options}
      total={found.data?.applications.totalCount}
      found={found}
      onText={setText}
      onPick={({ id }) => change({ application: id })}
    />
  );
}
