/** A new application. */
import type { CreateApplicationInput } from '../operations/generated/graph';
import { NewRecord } from '../record/NewRecord';
import { applicationFields } from './application/Settings';
import { WhoGetsIt } from './application/WhoGetsIt';

/** What most applications have. */
const beginnings = {
  appType: 'web',
  renderingMode: 'tab',
  linkType: 'internal',
  iconDefault: 'default.svg',
  iconHover: 'default.svg',
  isIframe: false,
  isTokenExchangeRequired: false,
  isRequestable: false,
};

export const NewApplication = () => (
  <NewRecord
    kind="application"
    to="/applications"
    label="Applications"
    title="New application"
    sub="Everything on one page, reviewed once and saved as one change."
    fields={applicationFields}
    beginnings={beginnings}
    member="createApplication"
    change={(applicationGuid, input) => ({
      createApplication: { input: { ...(input as CreateApplicationInput), applicationGuid } },
    })}
    more={(target, begin) => <WhoGetsIt target={target} begin={begin} />}
  />
);
