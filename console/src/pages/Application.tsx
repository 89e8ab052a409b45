/** One application: what opens it and who reaches it, its settings, texts and history. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../graph';
import { applicationPage } from '../operations/generated/application';
import type { ApplicationPageQuery } from '../operations/generated/graph';
import { Answered } from '../record/Answered';
import { HistoryTab } from '../record/HistoryTab';
import { Crumbs, RecordHead, Tabs } from '../record/Page';
import { Stamps } from '../record/Stamps';
import { textsTab } from '../record/Texts';
import { useMay } from '../session';
import { OutOfUse } from '../ui/Badge';
import { NotFound } from '../ui/Empty';
import { Icon } from '../ui/icons';
import { ManagedBy } from '../ui/ManagedBy';
import { ApplicationTile } from '../ui/Tile';
import { OpenedBy } from './application/OpenedBy';
import { Reach } from './application/Reach';
import { Settings } from './application/Settings';
import { GiveAccess } from './applications/GiveAccess';
import type { ApplicationRecord } from './records';

export function Application() {
  const { guid } = useParams({ from: '/applications/$guid' });
  const page = useQuery({
    queryKey: ['application', guid],
    queryFn: ({ signal }) => ask(applicationPage, { applicationGuid: guid }, signal),
  });
  return (
    <Answered query={page}>
      {({ application, accessOf }) =>
        application ? <Found application={application} accessOf={accessOf} /> : <NotFound />
      }
    </Answered>
  );
}

function Found({
  application,
  accessOf,
}: {
  application: ApplicationRecord;
  accessOf: ApplicationPageQuery['accessOf'];
}) {
  const [isGiving, setGiving] = useState(false);
  const mayChange = useMay('admin:write');
  const { applicationGuid: guid, name, description, isActive } = application;
  const opened =
    application.accessScopeApplicationsMappers.totalCount + application.accessScopeTypeApplicationsMappers.totalCount;
  const tabs = [
    {
      key: 'access',
      label: 'Access',
      count: opened,
      content: () => (
        <div className="split">
          <OpenedBy application={application} />
          <Reach applicationGuid={application.applicationGuid} name={name} accessOf={accessOf} />
        </div>
      ),
    },
    { key: 'settings', label: 'Settings', content: () => <Settings application={application} /> },
    textsTab(application),
    {
      key: 'history',
      label: 'History',
      needs: 'admin:security',
      content: () => <HistoryTab subjectType="Application" subjectId={guid} />,
    },
  ];
  return (
    <div className="page">
      <Crumbs to="/applications" label="Applications" name={name} />
      <RecordHead
        tile={<ApplicationTile name={name} icon={application.iconDefault} size="large" />}
        name={name}
        badge={
          <>
            <OutOfUse isActive={isActive} /> <ManagedBy name={application.managedBy} />
          </>
        }
        sub={description}
        actions={
          <>
            <Link className="button" to="/why" search={{ application: guid }}>
              <Icon name="why" size={16} />
              Who can open it?
            </Link>
            {mayChange && (
              <button type="button" className="button primary" onClick={() => setGiving(true)}>
                <Icon name="plus" size={16} />
                Give access
              </button>
            )}
          </>
        }
      />
      <Tabs tabs={tabs} />
      <Stamps {...application} />
      {isGiving && (
        <GiveAccess
          how="give"
          applications={[guid]}
          onClose={() => setGiving(false)}
          onDrafted={() => setGiving(false)}
        />
      )}
    </div>
  );
}
