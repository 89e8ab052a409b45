/** Texts of all applications, access scopes or types by language, what lacks one first: a grid to type into, or to paste a sheet into. */
import { useCallback } from 'react';
import { useAddress } from '../address';
import { applicationWords, scopeWords, typeWords } from '../filters';
import { ask } from '../graph';
import { useJoined } from '../joinedPages';
import type { ApplicationFilter, ApplicationTextsQuery } from '../operations/generated/graph';
import { applicationTexts, scopeTexts, textsOfGroup, typeTexts } from '../operations/generated/translations';
import { type Page, usePages } from '../pages';
import { readToEnd } from '../readToEnd';
import { Empty, Loading } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { SaveCsv } from '../ui/SaveCsv';
import { SearchField } from '../ui/SearchField';
import { Segments } from '../ui/Segments';
import { capital, plural } from '../words';
import { Languages } from './translations/Languages';
import { TextGrid } from './translations/TextGrid';
import { languagesOf, type TextRow } from './translations/texts';

interface Search {
  q?: string;
  /** Which records: a key of those below; absent: applications. */
  of?: string;
  field?: string;
  language?: string;
  view?: string;
}

const fields = [
  ['name', 'Name'],
  ['description', 'Description'],
] as const;
type Field = (typeof fields)[number][0];

/** Members that the filters of all of them have. */
type TextFilter = Pick<ApplicationFilter, 'translationGroup' | 'translations'>;

interface Kind {
  one: string;
  label: string;
  /** As the service exports their texts. */
  list: string;
  words: (q: string | undefined) => object[];
  read: (asked: Asked, signal: AbortSignal) => Promise<Records>;
}
type Asked = Page & { field: Field; languages: number; filter: { and: TextFilter[] } };
type Records = ApplicationTextsQuery['records'];

/** The records whose names and descriptions can be translated; asked for alike, each by words of its own. */
const kinds: { [of: string]: Kind } = {
  '': {
    one: 'application',
    label: 'Applications',
    list: 'applicationTexts',
    words: applicationWords,
    read: async (asked, signal) => (await ask(applicationTexts, asked, signal)).records,
  },
  scopes: {
    one: 'access scope',
    label: 'Access scopes',
    list: 'accessScopeTexts',
    words: scopeWords,
    read: async (asked, signal) => (await ask(scopeTexts, asked, signal)).records,
  },
  types: {
    one: 'type',
    label: 'Types',
    list: 'accessScopeTypeTexts',
    words: typeWords,
    read: async (asked, signal) => (await ask(typeTexts, asked, signal)).records,
  },
};

export function Translations() {
  const [{ q, of = '', field: wanted, language, view }, change] = useAddress<Search>();
  const { one } = kinds[of] ?? kinds['']!;
  const field: Field = wanted === 'description' ? 'description' : 'name';
  const pages = useTexts({ of: kinds[of] ? of : '', q, field, language });
  const isMissing = view === 'missing' && language !== undefined;
  const shown = language === undefined ? pages.all : isMissing ? pages.lacking : pages.lackingFirst;
  const searchFor = useCallback((text: string) => change({ q: text }, 'replace'), [change]);
  const languages = languagesOf(shown.rows, language);
  return (
    <div className="page fill">
      <div className="head">
        <div>
          <h1>Translations</h1>
          <p className="sub" aria-live="polite">
            {shown.isLoading
              ? 'Loading…'
              : isMissing
                ? `${plural(shown.total, one)} without a ${field} in ${language}`
                : `${plural(shown.total, one)} with a group of translations. ${language ? lackingWords(pages.lacking.total, language) : ''} Cells of a sheet can be pasted.`}
          </p>
        </div>
        <div className="head-acts">
          <SaveCsv label={`translations of ${one}s`} list={shown} />
        </div>
      </div>
      <div className="bar">
        <SearchField main label={`Search ${one}s`} placeholder={capital(one)} value={q ?? ''} onChange={searchFor} />
        <Segments
          label="Records"
          value={kinds[of] ? of : ''}
          options={Object.entries(kinds).map(([key, { label }]) => [key, label] as const)}
          onChange={(next) => change({ of: next })}
        />
        <Segments label="Field" value={field} options={fields} onChange={(next) => change({ field: next })} />
        <Languages
          languages={languages}
          language={language}
          isMissing={isMissing}
          onLanguage={(next) => change({ language: next, ...(next === '' && { view: '' }) })}
          onMissing={(next) => change({ view: next ? 'missing' : '' })}
        />
      </div>
      {shown.error ? (
        <Failure error={shown.error} retry={shown.retry} />
      ) : shown.isLoading ? (
        <Loading />
      ) : shown.total === 0 ? (
        <Empty
          icon="translate"
          title={
            isMissing
              ? 'Everything is translated'
              : q
                ? `No ${one} has this name`
                : `No ${one} has a group of translations`
          }
          action={
            (q || isMissing) && (
              <button type="button" className="button" onClick={() => change({ q: '', view: '' })}>
                Clear search and filters
              </button>
            )
          }
        >
          {!q && !isMissing && 'Name one in the settings of a record; then its texts can be translated.'}
        </Empty>
      ) : (
        <TextGrid key={`${of} ${field}`} one={one} pages={shown} field={field} languages={languages} />
      )}
    </div>
  );
}

const lackingWords = (count: number, language: string): string =>
  count === 0
    ? `None lacks ${language}.`
    : `The ${count.toLocaleString('en')} without ${language} ${count === 1 ? 'comes' : 'come'} first.`;

interface Wanted {
  of: string;
  q: string | undefined;
  field: Field;
  language: string | undefined;
}

/** All by name; and where a language is looked at, those that lack it, and then those that have it. */
function useTexts(wanted: Wanted) {
  const { field, language } = wanted;
  const text = { fieldName: { eq: field }, languageCode: { eq: language ?? '' } };
  const isOfLanguage = language !== undefined;
  const all = useList(wanted, {}, !isOfLanguage);
  const lacking = useList(wanted, { translations: { none: text } }, isOfLanguage);
  const having = useList(wanted, { translations: { some: text } }, isOfLanguage);
  // a file has no order by language
  const lackingFirst = { ...useJoined(lacking, having), ...(all.exported && { exported: all.exported }) };
  return { all, lacking, lackingFirst };
}

/** For one record; if there are more, they are read to their end. */
const languagesInPart = 100;

function useList({ of, q, field }: Wanted, narrowed: TextFilter, enabled: boolean) {
  const { list, words, read } = kinds[of]!;
  // texts belong to a group: without one there is nothing to translate into
  const filter = { and: [...words(q), { translationGroup: { isNull: false } }, narrowed] };
  return usePages(
    ['translations', of, q, field, narrowed],
    async (page, signal) => {
      const records = await read({ ...page, field, languages: languagesInPart, filter }, signal);
      return { ...records, nodes: await Promise.all(records.nodes.map((row) => withAllTexts(row, signal))) };
    },
    {
      pageSize: 300,
      enabled,
      exported: { list, filter, orderBy: [{ name: 'ASC' }], of: { fieldName: field } },
    },
  );
}

async function withAllTexts(row: TextRow, signal: AbortSignal): Promise<TextRow> {
  const { translationGroup, translations } = row;
  if (!translations.pageInfo.hasNextPage || translationGroup === null) return row;
  const nodes = await readToEnd(async (page) => {
    const answer = await ask(textsOfGroup, { translationGroup, ...page }, signal);
    return answer.translationGroups.nodes[0]?.translations;
  });
  return { ...row, translations: { ...translations, nodes } };
}
