/** Texts of all applications by language: a grid to type into, or to paste a sheet into. */
import { useCallback } from 'react';
import { useAddress } from '../address';
import { all, applicationWords } from '../filters';
import { ask } from '../graph';
import type { ApplicationFilter } from '../operations/generated/graph';
import { translationRows } from '../operations/generated/translations';
import { usePages } from '../pages';
import { Empty, Loading } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { SearchField } from '../ui/SearchField';
import { Segments } from '../ui/Segments';
import { plural } from '../words';
import { Languages } from './translations/Languages';
import { TextGrid } from './translations/TextGrid';
import { languagesOf } from './translations/texts';

interface Search {
  q?: string;
  field?: string;
  language?: string;
  view?: string;
}

const fields = [
  ['name', 'Name'],
  ['description', 'Description'],
] as const;
type Field = (typeof fields)[number][0];

export function Translations() {
  const [{ q, field: wanted, language, view }, change] = useAddress<Search>();
  const field: Field = wanted === 'description' ? 'description' : 'name';
  const missing = view === 'missing' && language;
  const filter = all<ApplicationFilter>([
    ...applicationWords(q),
    // texts belong to a group: without one there is nothing to translate into
    { translationGroup: { isNull: false } },
    ...(missing ? [{ translations: { none: { fieldName: { eq: field }, languageCode: { eq: language } } } }] : []),
  ]);
  const pages = usePages(
    ['translations', filter],
    async (page, signal) => (await ask(translationRows, { ...page, filter: filter ?? null }, signal)).applications,
    { pageSize: 300 },
  );
  const searchFor = useCallback((text: string) => change({ q: text }, 'replace'), [change]);
  const languages = languagesOf(pages.rows, language);
  return (
    <div className="page fill">
      <div className="head">
        <div>
          <h1>Translations</h1>
          <p className="sub" aria-live="polite">
            {pages.isLoading
              ? 'Loading…'
              : missing
                ? `${plural(pages.total, 'application')} without a ${field} in ${language}`
                : `${plural(pages.total, 'application')} with a group of translations. Cells of a sheet can be pasted.`}
          </p>
        </div>
      </div>
      <div className="bar">
        <SearchField main label="Search applications" placeholder="Application" value={q ?? ''} onChange={searchFor} />
        <Segments label="Field" value={field} options={fields} onChange={(next) => change({ field: next })} />
        <Languages
          languages={languages}
          language={language}
          isMissing={Boolean(missing)}
          onLanguage={(next) => change({ language: next, ...(next === '' && { view: '' }) })}
          onMissing={(next) => change({ view: next ? 'missing' : '' })}
        />
      </div>
      {pages.error ? (
        <Failure error={pages.error} retry={pages.retry} />
      ) : pages.isLoading ? (
        <Loading />
      ) : pages.total === 0 ? (
        <Empty
          icon="translate"
          title={missing ? 'Everything is translated' : 'No application is called so'}
          action={
            <button type="button" className="button" onClick={() => change({ q: '', view: '' })}>
              Show all
            </button>
          }
        />
      ) : (
        <TextGrid key={field} pages={pages} field={field} languages={languages} />
      )}
    </div>
  );
}
