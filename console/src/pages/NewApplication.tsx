/** A new application: its details, who gets it and its texts, reviewed once and saved as one change. */
import { type Draft, useDrafts } from '../drafts';
import type { Named } from '../mappingDraft';
import type { CreateApplicationInput } from '../operations/generated/graph';
import { NewRecord } from '../record/NewRecord';
import type { Form } from '../record/SettingsCard';
import { Icon } from '../ui/icons';
import { ApplicationTile } from '../ui/Tile';
import { plural } from '../words';
import { NewTexts } from './application/NewTexts';
import { applicationFields } from './application/Settings';
import { WhoGetsIt } from './application/WhoGetsIt';
import '../theme/newApplication.css';

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
    frame={(target, form) => <Flow target={target} form={form} />}
  />
);

function Flow({ target, form }: { target: Named; form: Form }) {
  const drafts = useDrafts();
  const group = form.values.translationGroup;
  const scopes = drafts.filter(({ change }) => change.mapping?.applicationGuid === target.guid).length;
  const texts = drafts.filter(({ change }) => change.translation && change.translation.translationGroup === group);
  return (
    <div className="flow">
      <nav className="steps" aria-label="Steps">
        <ol>
          <Step name="Details" words={form.lacks ?? 'complete'} isDone={form.lacks === undefined} />
          <Step
            name="Who gets it"
            words={scopes === 0 ? 'nobody yet' : plural(scopes, 'access scope')}
            isDone={scopes > 0}
          />
          <Step
            name="Texts"
            words={texts.length === 0 ? 'none yet' : plural(texts.length, 'text')}
            isDone={texts.length > 0}
          />
        </ol>
      </nav>
      <div className="stack">
        {form.card}
        <WhoGetsIt target={target} begin={form.begin} />
        <NewTexts name={target.name} group={typeof group === 'string' ? group : ''} guid={target.guid} form={form} />
      </div>
      <AsPeopleSeeIt values={form.values} texts={texts} />
    </div>
  );
}

interface StepProps {
  /** That of the card that it leads to. */
  name: string;
  words: string;
  isDone: boolean;
}

const Step = ({ name, words, isDone }: StepProps) => (
  <li className={isDone ? 'done' : undefined}>
    <button
      type="button"
      onClick={() => {
        const card = document.querySelector(`.flow .card[aria-label="${name}"]`);
        card?.scrollIntoView({ block: 'start' });
        card?.querySelector<HTMLElement>('input')?.focus({ preventScroll: true });
      }}
    >
      <span className="step-mark" aria-hidden="true">
        {isDone && <Icon name="check" size={12} />}
      </span>
      <span className="two-lines whole">
        <b>{name}</b>
        <small>{words}</small>
      </span>
    </button>
  </li>
);

function AsPeopleSeeIt({ values, texts }: { values: Form['values']; texts: readonly Draft[] }) {
  const named = texts.flatMap(({ change: { translation } }) =>
    translation?.fieldName === 'name' && translation.to ? [translation] : [],
  )[0];
  const name = named?.to ?? String(values.name ?? '');
  const link = String(values.globalExternalLink ?? '');
  return (
    <section className="card as-seen" aria-label="As people see it">
      <header>
        <h2>As people see it</h2>
      </header>
      <div className="portal">
        <ApplicationTile name={name || 'New application'} icon={String(values.iconDefault ?? '')} size="large" />
        <span className="two-lines whole">
          <b>{name || 'New application'}</b>
          <small>{String(values.description ?? '')}</small>
        </span>
      </div>
      <p className="note">
        {[named?.languageCode, link ? `opens ${hostOf(link)}` : 'has no link yet'].filter(Boolean).join(' · ')}
      </p>
    </section>
  );
}

const hostOf = (link: string): string => (URL.canParse(link) && new URL(link).host) || link;
